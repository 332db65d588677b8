import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { queryClient } from "./query-client.ts";

const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {};

it("repeats a read twice, if that can help", () => {
  if (typeof retry !== "function") throw new Error("reads are not repeated by a rule");
  const gone = new ApiError("gone", { status: 503, code: "unavailable" });
  const refused = new ApiError("no", { status: 403, code: "forbidden" });
  expect([0, 1, 2].map((failures) => retry(failures, gone))).toEqual([true, true, false]);
  expect(retry(0, refused)).toBe(false);
});

it("waits longer each time, and never more than 5 seconds", () => {
  if (typeof retryDelay !== "function") throw new Error("reads are not repeated by a rule");
  expect([0, 1, 2, 9].map((attempt) => retryDelay(attempt, new Error("gone")))).toEqual([500, 1000, 2000, 5000]);
});
