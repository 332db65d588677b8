import { describe, expect, it } from "vitest";
import { leftOut, shortText } from "../../contract/shortened.js";
import { rowsWithin, textWithin } from "./bounded.js";

describe("rowsWithin", () => {
  it("keeps the rows that fit, measured in bytes of JSON", () => {
    const rows = [{ n: "é" }, { n: "é" }, { n: "é" }];
    const one = Buffer.byteLength(JSON.stringify(rows[0])) + 1;
    expect(rowsWithin(rows, 3 * one)).toEqual(rows);
    expect(rowsWithin(rows, 3 * one - 1)).toHaveLength(2);
    expect(rowsWithin(rows, one - 1)).toEqual([]);
    expect(rowsWithin([], 0)).toEqual([]);
  });

  it("ends at the first row that does not fit, or skips it", () => {
    const rows = ["a", "long".repeat(10), "b"];
    expect(rowsWithin(rows, 20)).toEqual(["a"]);
    expect(rowsWithin(rows, 20, { skip: true })).toEqual(["a", "b"]);
    expect(rowsWithin(rows, 4, { bytesOf: (row) => row.length, skip: true })).toEqual(["a", "b"]);
  });
});

describe("shortText", () => {
  it("keeps short text", () => {
    expect(shortText(null, 3)).toBeNull();
    expect(shortText("abc", 3)).toBe("abc");
  });

  it("truncates long text, never within a character", () => {
    expect(shortText("abcd", 3)).toBe("abc…");
    expect(shortText("ab🦜d", 3)).toBe("ab…");
    expect(shortText("a🦜cd", 3)).toBe("a🦜…");
  });
});

describe("textWithin", () => {
  it("returns the text, or a beginning whose JSON fits", () => {
    expect(textWithin(null, 10)).toBeNull();
    expect(textWithin("x".repeat(98), 100)).toBe("x".repeat(98));
    for (const text of ["x".repeat(200), "名".repeat(99), "\u0001".repeat(99), "🦜".repeat(50)]) {
      const shown = textWithin(text, 100) ?? "";
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(100);
      expect(shown).toMatch(/.…$/u);
    }
  });
});

describe("leftOut", () => {
  it("counts the omitted items, if any", () => {
    expect(leftOut({ a: { shown: 2, total: 5 }, b: { shown: 1, total: 1 } })).toEqual({ left_out: { a: 3 } });
    expect(leftOut({ a: { shown: 25, total: 3 } })).toEqual({});
  });
});
