import { expect, it } from "vitest";
import { formatDates } from "./dates.ts";

it("says dates without a time", () => {
  // Versions of ICU differ in the spaces around the dash.
  expect(formatDates("2026-12-08", "2026-12-11").replaceAll(/\s/g, "")).toBe("8–11Dec2026");
});
