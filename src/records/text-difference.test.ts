import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference } from "./text-difference.js";

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

describe("textDifference", () => {
  it("shows short texts whole", () => {
    const [from, to] = ["The hall by the river", "The hall by the sea"];
    expect(textDifference(from, to)).toEqual({ from, to });
  });

  it("shortens the common beginning and end", () => {
    const [before, after] = [words(60), words(60)];
    const { from, to } = textDifference(`${before} at noon ${after}`, `${before} in the evening ${after}`);
    expect(from).toBe(`…${before.slice(-39)} at noon ${after.slice(0, 39)}…`);
    expect(to).toBe(`…${before.slice(-39)} in the evening ${after.slice(0, 39)}…`);
  });

  it("shows a sentence that is added at the end of a long text", () => {
    const text = words(100);
    const { from, to } = textDifference(text, `${text} Doors open at nine.`);
    expect(from).toBe(`…${text.slice(-40)}`);
    expect(to).toBe(`…${text.slice(-40)} Doors open at nine.`);
  });

  it("shows a part that is added to a repetition once", () => {
    const { from, to } = textDifference("a".repeat(500), "a".repeat(503));
    expect([from, to]).toEqual([`…${"a".repeat(40)}`, `…${"a".repeat(43)}`]);
  });

  it("shows the beginning of a difference that is long itself", () => {
    const { from, to } = textDifference("x".repeat(1_000), "y".repeat(300), { longest: 400 });
    expect(from).toBe(`${"x".repeat(400)}…`);
    expect(to).toBe("y".repeat(300));
    expect(textDifference("", "y".repeat(1_000), { longest: 400 })).toEqual({ from: "", to: `${"y".repeat(400)}…` });
  });

  it("never splits a character, whatever is common around it", () => {
    // 😀 and 😁 have their first unit in common, 😀 and 🨀 their last.
    const text = fc.array(fc.constantFrom("a", "😀", "😁", "🨀"), { minLength: 90, maxLength: 700 });
    fc.assert(
      fc.property(text, text, text, text, (before, from, to, after) => {
        const [old, now] = [from, to].map((middle) => [...before, ...middle, ...after].join(""));
        const shown = textDifference(old ?? "", now ?? "");
        expect(shown.from.isWellFormed() && shown.to.isWellFormed()).toBe(true);
        expect(shown.from === shown.to).toBe(old === now);
        expect(Math.max(shown.from.length, shown.to.length)).toBeLessThanOrEqual(485);
      }),
      { numRuns: 200 },
    );
  });
});
