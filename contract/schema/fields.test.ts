import { describe, expect, it } from "vitest";
import { jsonObject, uuid } from "./fields.js";

it("an id is the same in capitals", () => {
  expect(uuid.parse("0190ABCD-0000-4000-8000-00000000ABCD")).toBe("0190abcd-0000-4000-8000-00000000abcd");
});

describe("a free-form object", () => {
  it.each([
    [{ a: { b: [1, null, "x"] } }, { a: { b: [1, null, "x"] } }],
    [
      { a: ["x\u200b"], "k\u00ad": 1 },
      { a: ["x"], k: 1 },
    ],
    [{ a: "one\u2028two" }, { a: "one\ntwo" }],
  ])("%j is stored as %j", (given, stored) => {
    expect(jsonObject.parse(given)).toEqual(stored);
  });

  it.each([
    [{ a: [{ b: "\u202ex" }] }, "expected texts without control and direction characters"],
    [{ "k\u0001": 1 }, "expected texts without control and direction characters"],
    [{ a: "x\u200b\0" }, "expected valid Unicode without NUL characters"],
    [{ a: { "\ud800": 1 } }, "expected valid Unicode without NUL characters"],
    [[1], "expected an object"],
    [null, "expected an object"],
  ])("%j is refused: %s", (given, message) => {
    expect(jsonObject.safeParse(given).error?.issues).toMatchObject([{ message, path: [] }]);
  });
});
