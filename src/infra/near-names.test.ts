import { describe, expect, it } from "vitest";
import { editsBetween, nearNames } from "./near-names.js";

describe("editsBetween", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["antunes", "anutnes", 1],
    ["antunes", "antuness", 1],
    ["antunes", "antunez", 1],
    ["kitten", "sitting", 3],
  ])("%j and %j: %i", (a, b, edits) => {
    expect(editsBetween(a, b)).toBe(edits);
    expect(editsBetween(b, a)).toBe(edits);
  });
});

describe("nearNames", () => {
  const names = ["goncalo antunes", "goncalo almeida", "lukasz jablonski", "bo", "ada lovelace ada@mail.test"];
  const near = (wanted: string, limit = 5) => nearNames(wanted, names, (name) => name, limit);

  it("finds names that differ by few letters, in any order of words, nearest first", () => {
    expect(near("gonsalo antunes")).toEqual(["goncalo antunes"]);
    expect(near("anutnes goncalo")).toEqual(["goncalo antunes"]);
    expect(near("goncallo")).toEqual(["goncalo antunes", "goncalo almeida"]);
    expect(near("lucasz jablon")).toEqual(["lukasz jablonski"]);
    expect(near("ada lovelase")).toEqual(["ada lovelace ada@mail.test"]);
    expect(near("goncalo", 1)).toEqual(["goncalo antunes"]);
  });

  it("finds nothing for a name that is unlike all of them", () => {
    for (const wanted of ["zebedee", "goncalo zebedee", "xyz", "xy", "bo zz yy xx"])
      expect(near(wanted), wanted).toEqual([]);
  });

  it("is bounded for long names", () => {
    expect(nearNames("a".repeat(100_000), ["a".repeat(100_000)], (name) => name, 1)).toHaveLength(1);
  });
});
