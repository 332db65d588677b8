import { describe, expect, it } from "vitest";
import { createBatchLoader } from "./batch-loader.js";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function recordingLoader(stored: Record<string, number>) {
  const batches: string[][] = [];
  const load = createBatchLoader<string, number>(
    (key) => key,
    async (keys) => {
      batches.push(keys);
      return keys.map((key) => stored[key]);
    },
  );
  return { batches, load };
}

describe("batch loader", () => {
  it("loads the keys of one event-loop turn in one batch, equal keys once", async () => {
    const { batches, load } = recordingLoader({ one: 1, two: 2 });
    expect(await Promise.all([load("one"), load("two"), load("one"), load("none")])).toEqual([1, 2, 1, undefined]);
    expect(batches).toEqual([["one", "two", "none"]]);
  });

  it("loads a key again in the next turn, even while the earlier batch is in flight", async () => {
    const stored: Record<string, number> = { one: 1 };
    const { batches, load } = recordingLoader(stored);
    const before = load("one");
    await nextTurn();
    stored.one = 11;
    expect(await Promise.all([before, load("one")])).toEqual([1, 11]);
    expect(batches).toEqual([["one"], ["one"]]);
  });

  it("rejects every call of a failed batch and loads the next batch normally", async () => {
    let healthy = false;
    const load = createBatchLoader<string, string>(
      (key) => key,
      async (keys) => {
        if (!healthy) throw new Error("unavailable");
        return keys;
      },
    );
    const outcomes = await Promise.allSettled([load("a"), load("b")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    healthy = true;
    expect(await load("a")).toBe("a");
  });
});
