import { describe, expect, it } from "vitest";
import { leftOut, rowsWithin, shortText } from "./bounded.js";

describe("rowsWithin", () => {
  it("keeps the rows that fit, counted in bytes of JSON", () => {
    const rows = [{ n: "é" }, { n: "é" }, { n: "é" }];
    const one = Buffer.byteLength(JSON.stringify(rows[0])) + 1;
    expect(rowsWithin(rows, 3 * one)).toEqual(rows);
    expect(rowsWithin(rows, 3 * one - 1)).toHaveLength(2);
    expect(rowsWithin(rows, one - 1)).toEqual([]);
    expect(rowsWithin([], 0)).toEqual([]);
  });
});

describe("shortText", () => {
  it("keeps what is short enough", () => {
    expect(shortText(null, 3)).toBeNull();
    expect(shortText("abc", 3)).toBe("abc");
  });

  it("cuts the rest, and never in the middle of a character", () => {
    expect(shortText("abcd", 3)).toBe("abc…");
    expect(shortText("ab🦜d", 3)).toBe("ab…");
    expect(shortText("a🦜cd", 3)).toBe("a🦜…");
  });
});

describe("leftOut", () => {
  it("counts what is not shown, and says nothing when all is", () => {
    expect(leftOut({ a: { shown: 2, total: 5 }, b: { shown: 1, total: 1 } })).toEqual({ left_out: { a: 3 } });
    expect(leftOut({ a: { shown: 25, total: 3 } })).toEqual({});
  });
});
