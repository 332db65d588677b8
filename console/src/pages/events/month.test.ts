import { expect, it } from "vitest";
import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { monthOf, movedBy, titleOf } from "../../format/calendar.ts";
import { boundsOf, daysOf } from "./month.ts";

const event = (start_time: string, timezone: string) => ({ id: start_time, start_time, timezone }) as DashboardEvent;

it("puts events on the day that it is where they are, weeks starting on Monday", () => {
  const { before, days } = daysOf("2026-12", [
    event("2026-11-30T20:00:00Z", "Asia/Tokyo"),
    event("2026-12-31T23:30:00Z", "Europe/Lisbon"),
    event("2026-12-31T23:30:00Z", "Asia/Tokyo"),
    event("2026-12-01T03:00:00Z", "America/New_York"),
  ]);
  expect([before, days.length]).toEqual([1, 31]);
  const filled = days.filter(({ events }) => events.length > 0);
  expect(filled.map(({ date, events }) => [date, events.length])).toEqual([
    ["2026-12-01", 1],
    ["2026-12-31", 1],
  ]);
});

it("asks for all that can start in a month somewhere, and no more", () => {
  expect(boundsOf("2026-12")).toEqual({ from: "2026-11-30T10:00:00.000Z", until: "2027-01-01T14:00:00.000Z" });
});

it("goes from month to month across years", () => {
  expect([movedBy("2026-12", 1), movedBy("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect(titleOf("2026-12")).toBe("December 2026");
  expect(monthOf("2026-11-30T20:00:00Z", "Asia/Tokyo")).toBe("2026-12");
});
