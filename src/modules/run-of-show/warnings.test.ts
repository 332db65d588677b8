import { expect, it } from "vitest";
import { outsideWarnings } from "./warnings.js";

const event = {
  start_time: "2031-05-01T18:00:00.000Z",
  end_time: "2031-05-01T20:00:00.000Z",
  timezone: "Europe/Lisbon",
};

it.each([
  ["2031-05-01T18:00:00.000Z", 120, false],
  ["2031-05-01T18:00:00.000Z", 121, true],
  ["2031-05-01T17:59:00.000Z", 30, true],
  ["2031-05-01T19:59:00.000Z", 1, false],
])("a segment at %s of %i minutes is outside of the event: %s", (start_time, duration_minutes, isOutside) => {
  const warnings = outsideWarnings(event, [{ id: "1", title: "Opening", start_time, duration_minutes }]);
  expect(warnings.map(({ code }) => code)).toEqual(isOutside ? ["outside_event"] : []);
});
