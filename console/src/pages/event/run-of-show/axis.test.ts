import { describe, expect, it } from "vitest";
import { axisOf, clockPeriods, hourMs, ticksOf, zoomFor } from "./axis.ts";
import { at, plan, range, segment } from "./test-segments.ts";

describe("the axis", () => {
  it("draws times in proportion, with a quarter of an hour around", () => {
    const axis = axisOf(plan([segment("a", "18:00", 30)]), 4);
    expect(axis.parts).toHaveLength(1);
    expect(axis.toY(at("17:45"))).toBe(0);
    expect(axis.toY(at("18:30")) - axis.toY(at("18:00"))).toBe(120);
    expect(axis.height).toBe(150 * 4);
  });

  it("shortens long times without anything, and leads through them", () => {
    const window = { from: at("09:00"), to: at("18:00", "2031-05-02") };
    const show = plan(
      [segment("a", "09:00", 60), segment("b", "09:00", 60, { start_time: "2031-05-02T09:00:00Z" })],
      [],
      window,
    );
    const axis = axisOf(show, 2);
    expect(axis.parts.map(({ kind }) => kind)).toEqual(["time", "break", "time", "break", "time"]);
    for (const clock of ["09:10", "14:00", "23:59"])
      expect(axis.toTime(axis.toY(at(clock)))).toBeCloseTo(at(clock), -1);
    expect(axis.toY(at("09:30", "2031-05-02")) - axis.toY(at("09:00", "2031-05-02"))).toBe(60);
  });

  it("shows three hours without anything, and shortens more than that", () => {
    const kinds = (clock: string) => {
      const window = { from: at("09:00"), to: at("09:00") };
      return axisOf(plan([segment("a", clock, 10)], [], window), 2).parts.map(({ kind }) => kind);
    };
    expect(kinds("12:00")).toEqual(["time"]);
    expect(kinds("12:01")).toEqual(["time", "break", "time"]);
  });

  it("contains segments outside of the event", () => {
    const axis = axisOf(plan([segment("a", "15:30", 30), segment("b", "21:00", 30)]), 4);
    expect(axis.toY(at("15:30"))).toBeGreaterThanOrEqual(0);
    expect(axis.toY(at("21:30"))).toBeLessThanOrEqual(axis.height);
  });

  it("has a limited height", () => {
    const week = segment("a", "00:00", 10_080);
    const many = Array.from({ length: 40 }, (_, n) => ({
      ...week,
      id: `s${n}`,
      start_time: new Date(at("00:00") + n * 168 * hourMs).toISOString(),
    }));
    expect(axisOf(plan(many), 8).height).toBeLessThanOrEqual(61_000);
  });

  it("is zoomed so that most segments have room for their title", () => {
    expect(zoomFor(plan([segment("a", "18:00", 30)]))).toBe(2);
    expect(zoomFor(plan([segment("a", "18:00", 5), segment("b", "18:10", 30)]))).toBe(4);
    expect(zoomFor(plan([segment("a", "18:00", 1)]))).toBe(4);
    expect(zoomFor(plan([]))).toBe(2);
    const oneShort = Array.from({ length: 10 }, (_, n) => segment(`s${n}`, "18:00", n === 0 ? 5 : 30));
    expect(zoomFor(plan(oneShort))).toBe(2);
    expect(zoomFor(plan(oneShort.slice(0, 9)))).toBe(4);
    expect(zoomFor(plan([segment("a", "18:00", 10)]))).toBe(2);
  });
});

const labels = (from: string, to: string, zone: string) =>
  ticksOf({ from: Date.parse(from), to: Date.parse(to) }, zone, 1).ticks.map(({ label, isDay }) =>
    isDay ? `${label}*` : label,
  );

describe("the lines of the clock", () => {
  it("are full hours in the zone, also where it is off by 45 minutes", () => {
    expect(labels("2031-05-01T18:00Z", "2031-05-01T20:00Z", "Asia/Kathmandu")).toEqual(["00:00*", "01:00"]);
  });

  it("mark where a day begins", () => {
    expect(labels("2031-05-01T21:30Z", "2031-05-02T01:00Z", "Europe/Lisbon")).toEqual(["23:00", "00:00*", "01:00"]);
  });

  it("leave out the hour that the clocks skip", () => {
    const around = { from: Date.parse("2027-03-28T00:00Z"), to: Date.parse("2027-03-28T03:00Z") };
    const { ticks, changes } = ticksOf(around, "Europe/Lisbon", 1);
    expect(ticks.map(({ label }) => label)).toEqual(["00:00", "02:00", "03:00"]);
    expect(changes).toEqual([{ at: Date.parse("2027-03-28T01:00Z"), ms: hourMs }]);
  });

  it("name the hour that the clocks repeat", () => {
    const around = { from: Date.parse("2027-10-30T23:00Z"), to: Date.parse("2027-10-31T03:00Z") };
    const { ticks, changes } = ticksOf(around, "Europe/Lisbon", 1);
    expect(ticks.map(({ label }) => label)).toEqual(["00:00", "01:00", "01:00 again", "02:00"]);
    expect(changes).toEqual([{ at: Date.parse("2027-10-31T01:00Z"), ms: -hourMs }]);
  });

  it("begin a day without midnight when the clocks change", () => {
    // Cairo goes from 23:59 to 01:00.
    expect(labels("2027-04-29T20:30Z", "2027-04-29T23:30Z", "Africa/Cairo")).toEqual(["23:00", "01:00*", "02:00"]);
  });

  it("know half hours of Lord Howe", () => {
    const around = { from: Date.parse("2027-10-02T12:00Z"), to: Date.parse("2027-10-02T18:00Z") };
    expect(clockPeriods(around, "Australia/Lord_Howe").map(({ offset }) => offset / hourMs)).toEqual([10.5, 11]);
  });

  it("are as dense as there is room", () => {
    const hour = range("18:00", "19:00");
    expect(ticksOf(hour, "UTC", 4).ticks.map(({ label }) => label)).toEqual(["18:00", "18:15", "18:30", "18:45"]);
    expect(ticksOf(hour, "UTC", 2).ticks.map(({ label }) => label)).toEqual(["18:00", "18:30"]);
  });
});
