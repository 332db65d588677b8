import { describe, expect, it, vi } from "vitest";
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

/** Its batches end when the test says so. */
function waitingLoader() {
  const batches: string[][] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const load = createBatchLoader<string, string>(
    (key) => key,
    (keys) => {
      batches.push(keys);
      return new Promise((resolve, reject) => ends.push({ resolve: () => resolve(keys), reject }));
    },
  );
  return {
    batches,
    load,
    end: (place: number) => ends[place]?.resolve(),
    fail: (place: number) => ends[place]?.reject(new Error("unavailable")),
  };
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

  it("combines the calls of many turns while two batches run, and sends them when one of the two ends", async () => {
    const { batches, load, end } = waitingLoader();
    const loads = [];
    for (const key of ["a", "b", "c", "d"]) {
      loads.push(load(key));
      await nextTurn();
    }
    expect(batches).toEqual([["a"], ["b"]]);
    end(0);
    await nextTurn();
    expect(batches).toEqual([["a"], ["b"], ["c", "d"]]);
    end(1);
    end(2);
    expect(await Promise.all(loads)).toEqual(["a", "b", "c", "d"]);
  });

  it("counts a batch that failed as ended", async () => {
    const { batches, load, fail } = waitingLoader();
    for (const key of ["a", "b", "c"]) {
      load(key).catch(() => {});
      await nextTurn();
    }
    fail(1);
    await nextTurn();
    expect(batches).toEqual([["a"], ["b"], ["c"]]);
  });

  it("does not wait for long for batches that do not end", async () => {
    const { batches, load, end } = waitingLoader();
    for (const key of ["a", "b"]) {
      load(key);
      await nextTurn();
    }
    const late = load("c");
    await vi.waitFor(() => expect(batches).toHaveLength(3));
    end(2);
    expect(await late).toBe("c");
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
