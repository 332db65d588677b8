import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import {
  createLocalFairWindow,
  createSharedFairWindow,
  type FairLimits,
  type FairWindow,
} from "../../src/infra/fair-window.js";
import { withRedis } from "../support/needs.js";
import { until } from "../support/until.js";

// One rule in two places: both are tested with the same cases.

function fairly(create: (limits: FairLimits) => FairWindow): void {
  const hour = 3_600;
  const takes = async (window: FairWindow, member: string, count: number) => {
    let taken = 0;
    for (let i = 0; i < count; i += 1) if ((await window.take(member)) === 0) taken += 1;
    return taken;
  };

  it("lets one member take all that is not reserved, and its share of the rest", async () => {
    const window = create({ limit: 20, reserved: 5, seconds: hour });
    expect(await takes(window, "a", 30)).toBe(20);
    expect(await takes(window, "b", 30)).toBe(0);
  });

  it("keeps what is reserved for members below an equal share", async () => {
    const window = create({ limit: 20, reserved: 5, seconds: hour });
    expect(await takes(window, "a", 12)).toBe(12);
    expect(await takes(window, "b", 3)).toBe(3);
    // Two members: a has had more than 10.
    expect(await takes(window, "a", 10)).toBe(0);
    expect(await takes(window, "b", 2)).toBe(2);
    // Three members: 7 each.
    expect(await takes(window, "c", 10)).toBe(3);
    expect(await takes(window, "d", 1)).toBe(0);
  });

  it("serves many who come at once no more than the limit", async () => {
    const window = create({ limit: 20, reserved: 5, seconds: hour });
    const waits = await Promise.all(Array.from({ length: 60 }, (_, i) => window.take(`member ${i % 6}`)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
  });

  it("says how long it takes until a place is free, and slides", async () => {
    const window = create({ limit: 2, reserved: 0, seconds: 1 });
    expect([await window.take("a"), await window.take("a")]).toEqual([0, 0]);
    const wait = await window.take("a");
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(1_000);
    await until(async () => (await window.take("a")) === 0);
    const long = create({ limit: 1, reserved: 0, seconds: hour });
    await long.take("a");
    expect(await long.take("b")).toBeGreaterThan(3_000_000);
  });
}

describe("a window in the process", () => fairly(createLocalFairWindow));

withRedis("a window in Redis", () => {
  const redis = new Redis(process.env.REDIS_URL ?? "");
  afterAll(() => redis.disconnect());
  fairly((limits) => createSharedFairWindow(redis, `svc:test:${randomUUID()}`, limits));

  it("is left to expire", async () => {
    const key = `svc:test:${randomUUID()}`;
    await createSharedFairWindow(redis, key, { limit: 1, reserved: 0, seconds: 30 }).take("a");
    expect(await redis.pttl(key)).toBeGreaterThan(20_000);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(30_000);
  });
});
