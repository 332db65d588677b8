import { describe, expect, it } from "vitest";
import { exactTime, formatDuration, formatRange, formatRelative, formatTime, zoneName } from "./times.ts";

const now = "2026-06-01T00:00:00Z";
const plain = (text: string) => text.replaceAll("\u202f", " ");

describe("times", () => {
  it("are said in the zone, with the year only where it is another", () => {
    expect(formatTime("2026-12-08T09:30:00Z", "Europe/Lisbon", now)).toBe("Tue 8 Dec, 09:30, Lisbon time");
    expect(formatTime("2027-01-05T23:30:00Z", "Asia/Tokyo", now)).toBe("Wed 6 Jan 2027, 08:30, Tokyo time");
    expect(formatTime("2026-12-31T23:30:00Z", "Asia/Tokyo", now)).toBe("Fri 1 Jan 2027, 08:30, Tokyo time");
    expect(formatTime("2026-07-08T23:05:00Z", "Europe/Lisbon", now)).toBe("Thu 9 Jul, 00:05, Lisbon time");
  });

  it("form ranges within a day, over midnight and over the end of summer time", () => {
    expect(formatRange("2026-12-08T09:30:00Z", "2026-12-08T10:45:00Z", "Europe/Lisbon", now)).toBe(
      "Tue 8 Dec, 09:30–10:45, Lisbon time",
    );
    expect(formatRange("2026-12-08T22:00:00Z", "2026-12-09T01:00:00Z", "Europe/Lisbon", now)).toBe(
      "Tue 8 Dec, 22:00 – Wed 9 Dec, 01:00, Lisbon time",
    );
    expect(formatRange("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "Europe/Lisbon", now)).toBe(
      "Sun 25 Oct, 01:30–01:30, Lisbon time",
    );
  });

  it("have an exact value with the offset", () => {
    expect(plain(exactTime("2026-07-08T09:30:15Z", "America/New_York"))).toBe(
      "2026-07-08 05:30:15 GMT−04:00 (America/New_York)",
    );
  });

  it("name zones by their place", () => {
    expect(zoneName("America/Argentina/Buenos_Aires")).toBe("Buenos Aires time");
    expect(zoneName("UTC")).toBe("UTC");
    expect(zoneName("Etc/UTC")).toBe("UTC");
  });

  it("relative to now", () => {
    const ago = (seconds: number) => formatRelative(new Date(Date.parse(now) - seconds * 1000), now);
    expect(ago(10)).toBe("just now");
    expect(ago(44)).toBe("just now");
    expect(ago(45)).toBe("45 seconds ago");
    expect(ago(-10)).toBe("in a moment");
    expect(ago(-23 * 3600)).toBe("in 23 hours");
    expect(ago(14 * 86_400)).toBe("2 weeks ago");
    expect(ago(-90 * 86_400)).toBe("in 3 months");
    expect(ago(3 * 365 * 86_400)).toBe("3 years ago");
    expect(ago(300)).toBe("5 minutes ago");
    expect(ago(59.7 * 60)).toBe("1 hour ago");
    expect(ago(86_400)).toBe("yesterday");
    expect(ago(-3 * 86_400)).toBe("in 3 days");
    expect(ago(400 * 86_400)).toBe("last year");
  });

  it("as durations", () => {
    expect([0, 45, 59.6, 60, 95, 120].map((minutes) => formatDuration(minutes * 60_000))).toEqual([
      ...["0 min", "45 min", "1 h", "1 h", "1 h 35 min", "2 h"],
    ]);
  });
});
