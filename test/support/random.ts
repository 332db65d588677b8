import { randomInt } from "node:crypto";

/** Repeatable random choices. */
export type Random = {
  /** From 0 up to, but not including, the limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  subset<Item>(items: readonly Item[], probability: number): Item[];
  uuid(): string;
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[random.below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    subset: (items, probability) => items.filter(() => next() < probability),
    uuid() {
      const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
  return random;
}

/** Requests of a generated test in a run for a change; long runs choose more. */
const requestsPerChange = 1_000;

/**
 * How many requests a generated test makes, and from which seed: a new one each time, in the name of the test, unless the
 * environment says otherwise. `isLong`: enough for everything to happen at least once.
 */
export function runSize(prefix: "MODEL" | "FUZZ" | "FRESHNESS"): { requests: number; seed: number; isLong: boolean } {
  const { [`${prefix}_REQUESTS`]: given, [`${prefix}_SEED`]: seed } = process.env;
  const requests = Number(given ?? requestsPerChange);
  return { requests, seed: Number(seed ?? randomInt(2 ** 31)), isLong: requests >= 5 * requestsPerChange };
}
