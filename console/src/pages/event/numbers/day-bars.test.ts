import { expect, it } from "vitest";
import { barsOf, leastDays, lengthOf, mostBars } from "./day-bars.ts";

it("has a bar for each day, also for those without any", () => {
  const bars = barsOf([
    { day: "2031-03-01", count: 2 },
    { day: "2031-03-20", count: 1 },
  ]);
  expect(bars).toHaveLength(20);
  expect(bars.slice(0, 2)).toEqual([
    { from: "2031-03-01", to: "2031-03-01", count: 2 },
    { from: "2031-03-02", to: "2031-03-02", count: 0 },
  ]);
  expect(bars.at(-1)).toEqual({ from: "2031-03-20", to: "2031-03-20", count: 1 });
  expect(barsOf([])).toEqual([]);
});

it("begins two weeks before the last day if there are fewer", () => {
  const bars = barsOf([{ day: "2031-03-01", count: 2 }]);
  expect(bars).toHaveLength(leastDays);
  expect(bars[0]).toEqual({ from: "2031-02-16", to: "2031-02-16", count: 0 });
  expect(bars.at(-1)).toEqual({ from: "2031-03-01", to: "2031-03-01", count: 2 });
});

it("takes several days together where there are many, and loses none", () => {
  const days = [
    { day: "2030-01-01", count: 1 },
    { day: "2030-06-30", count: 2 },
    { day: "2031-12-31", count: 3 },
  ];
  const bars = barsOf(days);
  expect(bars.length).toBeLessThanOrEqual(mostBars);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(bars[0] && lengthOf(bars[0])).toBe(13);
  expect([bars[0]?.from, bars.at(-1)?.to]).toEqual(["2030-01-01", "2031-12-31"]);
});
