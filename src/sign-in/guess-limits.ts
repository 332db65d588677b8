import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { ServiceError } from "../platform/errors.js";
import type { RateLimits } from "../platform/rate-limit.js";

const windowSeconds = 15 * 60;

/** Failed attempts per quarter of an hour. */
export const guessLimits = {
  /** From one address at any e-mail: one password tried on many people. */
  address: 100,
  /** From one address at one e-mail: a person who mistypes. */
  emailAndAddress: 10,
  /** At one e-mail from anywhere: guesses spread over many addresses. */
  email: 50,
};

export type GuessLimits = {
  /** Counts an attempt before it is made; throws rate_limited when there were too many. The result takes it back. */
  attempt(email: string, ip: string): Promise<() => Promise<void>>;
};

export function createGuessLimits(limits: RateLimits, allowed: Partial<typeof guessLimits> = {}): GuessLimits {
  const { address, emailAndAddress, email: perEmail } = { ...guessLimits, ...allowed };
  // The address first: it bounds how many e-mails one address adds to the other two.
  const limiters = [
    {
      limiter: limits.limiter("sign-in-address", address, windowSeconds),
      keyOf: (_: string, network: string) => network,
    },
    {
      limiter: limits.limiter("sign-in-email-address", emailAndAddress, windowSeconds),
      keyOf: (person: string, network: string) => `${person}|${network}`,
    },
    { limiter: limits.limiter("sign-in-email", perEmail, windowSeconds), keyOf: (person: string) => person },
  ];
  return {
    async attempt(email, ip) {
      // Hashed: the windows, which Redis may hold, contain no personal data and keys of one length.
      const person = createHash("sha256").update(email.trim().toLowerCase()).digest("base64url").slice(0, 22);
      const network = networkOf(ip);
      for (const { limiter, keyOf } of limiters) {
        const verdict = await limiter.consume(keyOf(person, network));
        if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
      }
      return async () => {
        await Promise.all(limiters.map(({ limiter, keyOf }) => limiter.refund(keyOf(person, network))));
      };
    },
  };
}

export function tooManyAttempts(seconds: number): ServiceError {
  return new ServiceError("rate_limited", `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min`, {
    headers: { "retry-after": String(seconds) },
    details: { retry_after_seconds: seconds },
  });
}

/** An IPv6 subscriber has a whole /64. */
function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip;
  const [head = "", tail] = ip.split("%")[0]?.split("::") ?? [];
  const groups = head.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 4 - groups.length);
  return `${[...groups, ...Array<string>(missing).fill("0")].slice(0, 4).join(":")}::/64`;
}
