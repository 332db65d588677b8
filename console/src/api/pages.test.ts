import { expect, it } from "vitest";
import { listPath, queryOf } from "./pages.ts";

it("asks for 50 rows of a list, with the filters that are given", () => {
  expect(queryOf({ text: "a&b", state: undefined, cursor: "c" })).toBe("limit=50&text=a%26b&cursor=c");
  expect(queryOf({})).toBe("limit=50");
  expect(queryOf({ limit: "5" })).toBe("limit=5");
});

it("encodes the organization in the path, and not the list", () => {
  expect(listPath("a/b", "activity/people")).toBe("/api/console/organizations/a%2Fb/activity/people");
});
