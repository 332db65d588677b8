import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * At most `limit` in any period of `seconds`. `reserved` of them are only for members that have not had their equal share
 * yet.
 */
export type FairLimits = { limit: number; reserved: number; seconds: number };

export type FairWindow = {
  /** Counts one for the member and resolves to 0; or counts nothing and resolves to the milliseconds until one is free. */
  take(member: string): Promise<number>;
};

/** Counts in this process. */
export function createLocalFairWindow({ limit, reserved, seconds }: FairLimits): FairWindow {
  const windowMs = seconds * 1000;
  let taken: { at: number; member: string }[] = [];

  function isWithinShare(member: string): boolean {
    const members = new Set([member, ...taken.map((one) => one.member)]);
    const own = taken.filter((one) => one.member === member).length;
    return own < Math.ceil(limit / members.size);
  }

  return {
    async take(member) {
      const now = performance.now();
      const oldest = taken.findIndex(({ at }) => at > now - windowMs);
      taken = oldest === -1 ? [] : oldest === 0 ? taken : taken.slice(oldest);
      const used = taken.length;
      if (used < limit - reserved || (used < limit && isWithinShare(member))) {
        taken.push({ at: now, member });
        return 0;
      }
      return Math.max(1, Math.ceil((taken[0]?.at ?? now) + windowMs - now));
    },
  };
}

/** The same rule, in one step for all processes. An entry is an id and its member. */
const takeScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, reserved, window, member = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now - window)
local used = redis.call("ZCARD", KEYS[1])
local allowed = used < limit - reserved
if not allowed and used < limit then
  local own, members, seen = 0, 1, { [member] = true }
  for _, entry in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
    local other = string.sub(entry, string.find(entry, " ") + 1)
    if other == member then own = own + 1 end
    if not seen[other] then members = members + 1 end
    seen[other] = true
  end
  allowed = own < math.ceil(limit / members)
end
if allowed then
  redis.call("ZADD", KEYS[1], now, ARGV[5] .. " " .. member)
  redis.call("PEXPIRE", KEYS[1], window)
  return 0
end
local oldest = redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")
return math.max(1, (tonumber(oldest[2]) or now) + window - now)
`;

/** Counts in Redis. Rejects if Redis does not respond. */
export function createSharedFairWindow(
  redis: Redis,
  key: string,
  { limit, reserved, seconds }: FairLimits,
): FairWindow {
  return {
    take: async (member) =>
      Number(await redis.eval(takeScript, 1, key, limit, reserved, seconds * 1000, member, randomUUID())),
  };
}
