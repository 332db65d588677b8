import { expect, it } from "vitest";
import { formatDates, zoneLabel, zoneOptions } from "./dates.ts";

it("says dates without a time", () => {
  // Versions of ICU differ in the spaces around the dash.
  const dates = (start: string, end: string) => formatDates(start, end).replaceAll(/\s/g, "");
  expect(dates("2026-12-08", "2026-12-11")).toBe("8–11Dec2026");
  expect(dates("2026-12-30", "2027-01-02")).toBe("30Dec2026–2Jan2027");
  expect(dates("2026-12-08", "2026-12-08")).toBe("8Dec2026");
});

it("names time zones as people type them", () => {
  expect(zoneLabel("America/Argentina/Buenos_Aires")).toBe("America/Argentina/Buenos Aires");
  expect(zoneOptions).toContainEqual({ value: "America/New_York", label: "America/New York" });
});
