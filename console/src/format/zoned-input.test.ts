import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromZonedInput, toZonedInput } from "./zoned-input.ts";

describe("a time field in a zone", () => {
  it("shows and reads local times", () => {
    expect(toZonedInput("2031-05-01T18:00:00Z", "Europe/Lisbon")).toBe("2031-05-01T19:00");
    expect(fromZonedInput("2031-05-01T19:00", "Europe/Lisbon")).toBe("2031-05-01T18:00:00.000Z");
    expect(fromZonedInput("2031-05-01T00:15", "Asia/Kathmandu")).toBe("2031-04-30T18:30:00.000Z");
  });

  it("refuses times that the clocks skip, and takes the first of those they repeat", () => {
    expect(fromZonedInput("2026-03-29T02:30", "Europe/Berlin")).toBeUndefined();
    expect(fromZonedInput("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(fromZonedInput("2026-06-01T10:00:30", "Europe/Berlin")).toBe("2026-06-01T08:00:30.000Z");
    expect(fromZonedInput("2026-06-01T10:00Z", "Europe/Berlin")).toBeUndefined();
    expect(fromZonedInput("", "Europe/Berlin")).toBeUndefined();
    expect(fromZonedInput("2026-02-30T10:00", "Europe/Berlin")).toBeUndefined();
  });

  it("returns what it was given, whatever the zone", () => {
    const zones = fc.constantFrom("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Tokyo");
    const minutes = fc.integer({ min: 26_000_000, max: 40_000_000 });
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const text = toZonedInput(minute * 60_000, zone);
        expect(toZonedInput(fromZonedInput(text, zone) ?? "", zone)).toBe(text);
      }),
    );
  });
});
