import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordDiff } from "./word-diff.ts";

const side = (from: string, to: string, without: "added" | "removed") =>
  wordDiff(from, to)
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

describe("the difference of two texts", () => {
  it("is by words", () => {
    expect(wordDiff("Doors open at six", "Doors open at seven")).toEqual([
      { kind: "same", text: "Doors open at " },
      { kind: "removed", text: "six" },
      { kind: "added", text: "seven" },
    ]);
  });

  it("joins changes that only spaces separate", () => {
    expect(wordDiff("Doors open at six sharp, rain or shine", "Doors open at seven o’clock, rain or shine")).toEqual([
      { kind: "same", text: "Doors open at " },
      { kind: "removed", text: "six sharp," },
      { kind: "added", text: "seven o’clock," },
      { kind: "same", text: " rain or shine" },
    ]);
  });

  it.each([
    [
      "nearly all words differ",
      "We meet at the pier and sail to the island",
      "Bring boots: the walk to the forest is long",
    ],
    [
      "every third word differs",
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
      "one two 3 four five 6 seven eight 9 ten eleven 12 thirteen fourteen 15",
    ],
  ])("shows a text that was rewritten as a whole: %s", (_, from, to) => {
    expect(wordDiff(from, to)).toEqual([
      { kind: "removed", text: from },
      { kind: "added", text: to },
    ]);
  });

  it("contains both texts, whatever they are", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", " ", "\n", "é"), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(side(from, to, "added")).toBe(from);
        expect(side(from, to, "removed")).toBe(to);
        if (from === to) expect(wordDiff(from, to).every(({ kind }) => kind === "same")).toBe(true);
      }),
    );
  });

  it("is bounded: long texts are replaced as a whole", () => {
    const long = "word ".repeat(2000);
    expect(wordDiff(long, `${long}end`).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});
