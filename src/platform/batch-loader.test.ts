import { describe, expect, it } from "vitest";
import { gather } from "./batch-loader.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

function numbered(numbers: Record<string, number>) {
  const asked: string[][] = [];
  const find = gather<string, number>(
    (name) => name,
    async (names) => {
      asked.push(names);
      return names.map((name) => numbers[name]);
    },
  );
  return { asked, find };
}

describe("questions that are gathered", () => {
  it("are asked together in one turn of the event loop, equal ones once", async () => {
    const { asked, find } = numbered({ one: 1, two: 2 });
    expect(await Promise.all([find("one"), find("two"), find("one"), find("none")])).toEqual([1, 2, 1, undefined]);
    expect(asked).toEqual([["one", "two", "none"]]);
  });

  it("are asked anew in the next turn, also while earlier ones wait for their answer", async () => {
    const numbers: Record<string, number> = { one: 1 };
    const { asked, find } = numbered(numbers);
    const before = find("one");
    await turn();
    numbers.one = 11;
    expect(await Promise.all([before, find("one")])).toEqual([1, 11]);
    expect(asked).toEqual([["one"], ["one"]]);
  });

  it("fail together, and the next ones are asked again", async () => {
    let healthy = false;
    const find = gather<string, string>(
      (name) => name,
      async (names) => {
        if (!healthy) throw new Error("away");
        return names;
      },
    );
    const outcomes = await Promise.allSettled([find("a"), find("b")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    healthy = true;
    expect(await find("a")).toBe("a");
  });
});
