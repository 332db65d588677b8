import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../contract/errors.js";
import { changeDetails } from "./rules.js";

const times = { start_time: "2031-05-01T18:00:00.000Z", end_time: "2031-05-01T20:00:00.000Z" };

describe("changeDetails", () => {
  it("changes the given fields and keeps the others", () => {
    expect(changeDetails({ ...times, venue: "Hall 1" }, { venue: null })).toEqual({ ...times, venue: null });
  });

  it.each([
    ["a start at the end", { start_time: times.end_time }],
    ["a start after the end", { start_time: "2031-05-02T00:00:00.000Z" }],
    ["an end at the start", { end_time: times.start_time }],
    ["an end before the start", { end_time: "2031-05-01T17:59:59.999Z" }],
    ["both in the wrong order", { start_time: "2031-06-01T20:00:00.000Z", end_time: "2031-06-01T18:00:00.000Z" }],
  ])("refuses %s", (_, changes) => {
    const proposed = { ...times, ...changes };
    expect(refusalOf(() => changeDetails(times, changes))).toMatchObject({
      code: "invalid_input",
      message: `end_time: expected a time after start_time (${proposed.start_time}), not ${proposed.end_time}: to move an event, send both`,
    });
  });

  it.each([
    ["an earlier start", { start_time: "2031-04-01T18:00:00.000Z" }],
    ["a later end", { end_time: "2031-05-03T18:00:00.000Z" }],
    ["an event of a millisecond", { end_time: "2031-05-01T18:00:00.001Z" }],
    ["both moved past the old end", { start_time: "2032-01-01T00:00:00.000Z", end_time: "2032-01-01T00:00:00.001Z" }],
  ])("takes %s", (_, changes) => {
    expect(changeDetails(times, changes)).toEqual({ ...times, ...changes });
  });

  it("refuses a change of nothing", () => {
    expect(refusalOf(() => changeDetails({}, {}))).toMatchObject({ code: "invalid_input" });
  });
});

function refusalOf(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("not refused");
}
