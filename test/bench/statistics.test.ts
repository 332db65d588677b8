import { describe, expect, it } from "vitest";
import { comparePairs, difference, median, ratio, summarize } from "../../bench/support/statistics.js";

describe("the median", () => {
  it("is the value in the middle, or the mean of the two there", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 2])).toBe(3);
    expect(median([7])).toBe(7);
  });

  it("of nothing is not a number", () => {
    expect(median([])).toBeNaN();
  });
});

describe("pairs of rounds", () => {
  it("are each reference round with the subject round before it and the one after it", () => {
    expect(comparePairs([10, 30, 60], [20, 30, 40], ratio)).toEqual([0.5, 1.5, 1, 2, 1.5]);
    expect(comparePairs([10, 30], [20, 30], difference)).toEqual([-10, 10, 0]);
  });

  it("show a constant ratio under load that changes slowly", () => {
    const load = [1, 0.9, 0.8, 0.5, 0.4, 0.4];
    const subject = load.filter((_, place) => place % 2 === 0).map((part) => 500 * part);
    const reference = load.filter((_, place) => place % 2 === 1).map((part) => 1_000 * part);
    expect(summarize(comparePairs(subject, reference, ratio)).value).toBeCloseTo(0.5, 1);
  });
});

it("the spread is from the lowest to the highest value", () => {
  expect(summarize([0.6, 0.5, 0.9])).toEqual({ value: 0.6, low: 0.5, high: 0.9 });
});
