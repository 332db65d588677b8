import { describe, expect, it } from "vitest";
import { localClock } from "../src/runner/local-times.js";
import {
  endOf,
  gapsOf,
  inNewOrder,
  minutesBefore,
  overlapsOf,
  placed,
  shifted,
  spanOf,
  startsWithFollowing,
} from "./run-of-show.js";

const day = "2031-05-01T";

/** A segment named by its id: `at("a", "18:00", 10)`. */
const at = (id: string, time: string, minutes: number) => ({
  id,
  title: id.toUpperCase(),
  start_time: `${day}${time}:00.000Z`,
  duration_minutes: minutes,
});

const between = (from: string, to: string) => ({ from: `${day}${from}:00.000Z`, to: `${day}${to}:00.000Z` });

describe("gapsOf", () => {
  it("finds the times in which nothing is planned", () => {
    expect(gapsOf([at("a", "18:00", 10), at("b", "18:15", 10), at("c", "18:25", 10), at("d", "19:00", 5)])).toEqual([
      { after: "a", before: "b", ...between("18:10", "18:15"), minutes: 5 },
      { after: "c", before: "d", ...between("18:35", "19:00"), minutes: 25 },
    ]);
  });

  it("sees past a segment that is over before the one around it", () => {
    const around = [at("long", "18:00", 60), at("short", "18:10", 5), at("next", "19:30", 10)];
    expect(gapsOf(around)).toEqual([{ after: "long", before: "next", ...between("19:00", "19:30"), minutes: 30 }]);
  });

  it("does not depend on the order of the list", () => {
    const segments = [at("b", "18:30", 10), at("a", "18:00", 10)];
    expect(gapsOf(segments)).toEqual(gapsOf(segments.toReversed()));
    expect(gapsOf(segments)).toHaveLength(1);
  });

  it.each([
    ["nothing", []],
    ["one segment", [at("a", "18:00", 10)]],
    ["segments back to back", [at("a", "18:00", 10), at("b", "18:10", 10)]],
    ["equal starts", [at("a", "18:00", 10), at("b", "18:00", 20), at("c", "18:20", 5)]],
  ])("finds none in %s", (_, segments) => expect(gapsOf(segments)).toEqual([]));

  it("knows gaps below a minute", () => {
    const late = { ...at("b", "18:10", 5), start_time: `${day}18:10:30.000Z` };
    expect(gapsOf([at("a", "18:00", 10), late])[0]).toMatchObject({ minutes: 0.5 });
  });
});

describe("overlapsOf", () => {
  it("finds every two that run at the same time", () => {
    expect(overlapsOf([at("a", "18:00", 30), at("b", "18:20", 30), at("c", "18:25", 10)])).toEqual([
      { first: "a", second: "b", ...between("18:20", "18:30"), minutes: 10 },
      { first: "a", second: "c", ...between("18:25", "18:30"), minutes: 5 },
      { first: "b", second: "c", ...between("18:25", "18:35"), minutes: 10 },
    ]);
  });

  it("finds a segment inside another, also behind a short one", () => {
    const nested = [at("long", "18:00", 60), at("short", "18:10", 5), at("late", "18:50", 30)];
    expect(overlapsOf(nested)).toEqual([
      { first: "long", second: "short", ...between("18:10", "18:15"), minutes: 5 },
      { first: "long", second: "late", ...between("18:50", "19:00"), minutes: 10 },
    ]);
  });

  it("counts equal starts by the shorter one", () => {
    expect(overlapsOf([at("a", "18:00", 30), at("b", "18:00", 10)])).toEqual([
      { first: "a", second: "b", ...between("18:00", "18:10"), minutes: 10 },
    ]);
  });

  it("finds none in segments back to back, in whatever order they come", () => {
    expect(overlapsOf([at("b", "18:10", 10), at("a", "18:00", 10)])).toEqual([]);
  });

  it("is quick for 500 segments that all overlap", () => {
    const segments = Array.from({ length: 500 }, (_, index) => at(`s${index}`, "18:00", 60));
    const startedAt = performance.now();
    expect(overlapsOf(segments)).toHaveLength((500 * 499) / 2);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

describe("inNewOrder", () => {
  it("keeps durations and moves the starts back to back from the earliest", () => {
    const segments = [at("a", "18:00", 10), at("b", "18:30", 20), at("c", "19:00", 5)];
    expect(inNewOrder(segments, ["c", "a", "b"])).toEqual([
      at("c", "18:00", 5),
      at("a", "18:05", 10),
      at("b", "18:15", 20),
    ]);
  });

  it("starts with the earliest start, whichever segment stood first", () => {
    expect(inNewOrder([at("b", "18:30", 10), at("a", "18:00", 10)], ["b", "a"])).toEqual([
      at("b", "18:00", 10),
      at("a", "18:10", 10),
    ]);
  });

  it("keeps other fields", () => {
    const [moved] = inNewOrder([{ ...at("a", "18:00", 10), notes: "n" }], ["a"]);
    expect(moved).toEqual({ ...at("a", "18:00", 10), notes: "n" });
  });
});

describe("inNewOrder with gaps", () => {
  it("keeps pauses at their places, and resolves overlaps", () => {
    const segments = [at("a", "18:00", 10), at("b", "18:15", 30), at("c", "18:30", 5), at("d", "19:00", 10)];
    const moved = inNewOrder(segments, ["b", "a", "d", "c"], { keepGaps: true });
    expect(moved).toEqual([at("b", "18:00", 30), at("a", "18:35", 10), at("d", "18:45", 10), at("c", "19:10", 5)]);
  });

  it("has no pause after a short segment within a longer one, while the longer one goes on", () => {
    const segments = [
      at("long", "18:00", 60),
      at("short", "18:10", 5),
      at("next", "18:50", 20),
      at("last", "19:15", 5),
    ];
    const moved = inNewOrder(segments, ["short", "long", "next", "last"], { keepGaps: true });
    expect(moved).toEqual([
      at("short", "18:00", 5),
      at("long", "18:05", 60),
      at("next", "19:05", 20),
      at("last", "19:30", 5),
    ]);
  });
});

describe("placed", () => {
  it("puts segments without a start behind those before them", () => {
    const rows = [
      { duration_minutes: 10 },
      { duration_minutes: 5 },
      { ...at("c", "20:00", 5) },
      { duration_minutes: 1 },
    ];
    const starts = placed(rows, `${day}18:00:00.000Z`).map(({ start_time }) => start_time.slice(11, 16));
    expect(starts).toEqual(["18:00", "18:10", "20:00", "20:05"]);
    expect(() => placed([{ duration_minutes: 1 }], undefined)).toThrow("no start");
  });

  it("spans from the first start to the last end, in whatever order", () => {
    const rows = [at("b", "19:00", 10), at("a", "18:00", 90), at("c", "18:10", 5)];
    expect(spanOf(rows)).toEqual({ from: `${day}18:00:00.000Z`, minutes: 90 });
  });
});

describe("startsWithFollowing", () => {
  const show = [at("a", "18:00", 10), at("beside", "18:05", 10), at("b", "18:10", 10), at("c", "18:30", 10)];
  const starts = (...changes: Parameters<typeof startsWithFollowing>[1]) =>
    [...startsWithFollowing(show, changes)].map(([id, start]) => `${id} ${start.slice(11, 16)}`);

  it.each([
    ["a longer one", { id: "a", fields: { duration_minutes: 15 } }, ["a 18:00", "beside 18:05", "b 18:15", "c 18:35"]],
    [
      "a later one",
      { id: "b", fields: { start_time: `${day}18:15:00.000Z` } },
      ["a 18:00", "beside 18:05", "b 18:15", "c 18:35"],
    ],
    ["other fields", { id: "a", fields: {} }, ["a 18:00", "beside 18:05", "b 18:10", "c 18:30"]],
    ["the last", { id: "c", fields: { duration_minutes: 90 } }, ["a 18:00", "beside 18:05", "b 18:10", "c 18:30"]],
  ])("%s", (_, change, expected) => expect(starts(change)).toEqual(expected));

  it("adds up what several changed ones do, in whatever order they are named", () => {
    const changes = [
      { id: "a", fields: { duration_minutes: 15 } },
      { id: "b", fields: { duration_minutes: 15 } },
    ];
    for (const order of [changes, changes.toReversed()]) {
      expect(starts(...order)).toEqual(["a 18:00", "beside 18:05", "b 18:15", "c 18:40"]);
    }
  });

  it("a segment with a new start begins there, and what follows keeps its distance to it", () => {
    const changes = [
      { id: "a", fields: { duration_minutes: 15 } },
      { id: "b", fields: { start_time: `${day}18:50:00.000Z` } },
    ];
    expect(starts(...changes)).toEqual(["a 18:00", "beside 18:05", "b 18:50", "c 19:10"]);
  });
});

it("minutesBefore counts overlapping segments once, and only those that are over", () => {
  const removed = [at("a", "18:00", 10), at("b", "18:05", 10), at("c", "18:30", 10), at("inside", "18:01", 2)];
  const before = (time: string) => minutesBefore(removed, `${day}${time}:00.000Z`);
  expect(["17:00", "18:10", "18:15", "18:35", "18:40"].map(before)).toEqual([0, 10, 15, 15, 25]);
});

it("times beyond the year 9999 are refused", () => {
  const far = { ...at("a", "18:00", 1), start_time: "9999-12-31T23:00:00.000Z" };
  expect(shifted([far], 59)).toMatchObject([{ start_time: "9999-12-31T23:59:00.000Z" }]);
  expect(() => shifted([far], 60)).toThrow("beyond the year 9999");
});

describe("the clock of a zone", () => {
  it.each([
    // Into summer time: an hour, or half an hour, does not exist.
    ["Europe/Lisbon", "2027-03-28T00:30:00.000Z", 60, "2027-03-28T00:30+00:00", "2027-03-28T02:30+01:00"],
    ["America/New_York", "2027-03-14T06:45:00.000Z", 30, "2027-03-14T01:45-05:00", "2027-03-14T03:15-04:00"],
    ["Australia/Lord_Howe", "2027-10-02T15:00:00.000Z", 60, "2027-10-03T01:30+10:30", "2027-10-03T03:00+11:00"],
    // Out of it: one happens twice, and only the offset tells which is meant.
    ["Europe/Lisbon", "2027-10-31T00:30:00.000Z", 60, "2027-10-31T01:30+01:00", "2027-10-31T01:30+00:00"],
    ["America/New_York", "2027-11-07T05:30:00.000Z", 60, "2027-11-07T01:30-04:00", "2027-11-07T01:30-05:00"],
    ["Australia/Lord_Howe", "2027-04-03T14:45:00.000Z", 30, "2027-04-04T01:45+11:00", "2027-04-04T01:45+10:30"],
    ["Asia/Kathmandu", "2027-01-01T18:15:00.000Z", 60, "2027-01-02T00:00+05:45", "2027-01-02T01:00+05:45"],
    ["UTC", "2027-12-31T23:30:00.000Z", 60, "2027-12-31T23:30+00:00", "2028-01-01T00:30+00:00"],
  ])("%s at %s, for %i minutes", (timezone, start_time, duration_minutes, start, end) => {
    const clock = localClock(timezone);
    expect(clock(start_time)).toBe(start);
    expect(clock(endOf({ start_time, duration_minutes }))).toBe(end);
    expect(new Date(start).toISOString()).toBe(start_time);
    expect(Date.parse(end) - Date.parse(start)).toBe(duration_minutes * 60_000);
  });

  it("a reorder across the change of the clock keeps elapsed minutes", () => {
    const segments = [
      { id: "a", title: "A", start_time: "2027-10-31T00:00:00.000Z", duration_minutes: 90 },
      { id: "b", title: "B", start_time: "2027-10-31T01:30:00.000Z", duration_minutes: 30 },
    ];
    const clock = localClock("Europe/Lisbon");
    expect(
      inNewOrder(segments, ["b", "a"]).map((segment) => [clock(segment.start_time), clock(endOf(segment))]),
    ).toEqual([
      ["2027-10-31T01:00+01:00", "2027-10-31T01:30+01:00"],
      ["2027-10-31T01:30+01:00", "2027-10-31T02:00+00:00"],
    ]);
  });
});
