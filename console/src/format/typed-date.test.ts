import fc from "fast-check";
import { expect, it } from "vitest";
import { dayInMonth, dayMovedBy, daysOfMonth, weekdayOf } from "./calendar.ts";
import { readDate, typedDate, typedTime } from "./typed-date.ts";

it.each([
  ["2026-12-08", "2026-12-08"],
  ["8 Dec 2026", "2026-12-08"],
  ["Tue 8 Dec 2026", "2026-12-08"],
  ["Tuesday, 8th December 2026", "2026-12-08"],
  ["Dec 8, 2026", "2026-12-08"],
  ["8 sept 2026", "2026-09-08"],
  ["8 dec", "2026-12-08"],
  ["08.12.2026", "2026-12-08"],
  ["8/12/26", "2026-12-08"],
  ["12/25/2026", "2026-12-25"],
  [" today ", "2026-05-31"],
  ["tomorrow", "2026-06-01"],
  ["29 Feb 2028", "2028-02-29"],
  ...["", "8", "Dec 2026", "30 Feb 2026", "31/31/2026", "8 Decembre 2026", "8 Dec 20266", "next week"].map(
    (text): [string, undefined] => [text, undefined],
  ),
])("reads the date %j as %s", (text, date) => {
  expect(readDate(text, "2026-05-31")).toBe(date);
});

it.each([
  ...["14:30", "1430", "14.30", "14h30", "2:30pm", "2:30 p.m."].map((text): [string, string] => [text, "14:30"]),
  ["2pm", "14:00"],
  ["12am", "00:00"],
  ["12pm", "12:00"],
  ["930", "09:30"],
  ["9", "09:00"],
  ...["", "24:00", "13pm", "9:7", "14:60", "noonish"].map((text): [string, undefined] => [text, undefined]),
])("reads the time %j as %s", (text, time) => {
  expect(typedTime.read(text)).toBe(time);
});

it("reads every date that it shows", () => {
  const days = fc.integer({ min: 0, max: 40_000 }).map((count) => dayMovedBy("1990-01-01", count));
  fc.assert(
    fc.property(days, (day) => {
      expect(readDate(typedDate.show(day))).toBe(day);
    }),
  );
  expect(typedDate.show("2026-12-08")).toBe("Tue 8 Dec 2026");
});

it("goes through days, weeks and months", () => {
  expect(daysOfMonth("2026-12")).toMatchObject({ before: 1, days: { 0: "2026-12-01", 30: "2026-12-31", length: 31 } });
  expect([dayMovedBy("2026-12-31", 1), dayMovedBy("2026-03-01", -1)]).toEqual(["2027-01-01", "2026-02-28"]);
  expect([dayInMonth("2026-01-31", "2026-02"), dayInMonth("2026-02-28", "2026-01")]).toEqual([
    "2026-02-28",
    "2026-01-28",
  ]);
  expect([weekdayOf("2026-12-07"), weekdayOf("2026-12-06")]).toEqual([0, 6]);
});
