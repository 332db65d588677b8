import { expect, test } from "vitest";
import { zonedInstant } from "../../demo/calendar.js";

test.each([
  ["before daylight saving time starts", "2027-03-14", "01:30", "America/Toronto", "2027-03-14T06:30:00.000Z"],
  ["after daylight saving time starts", "2027-03-14", "04:00", "America/Toronto", "2027-03-14T08:00:00.000Z"],
  ["before daylight saving time ends", "2027-11-06", "23:30", "America/Toronto", "2027-11-07T03:30:00.000Z"],
  ["after daylight saving time ends", "2027-11-07", "03:00", "America/Toronto", "2027-11-07T08:00:00.000Z"],
  ["before daylight saving time starts", "2027-03-28", "00:30", "Europe/Lisbon", "2027-03-28T00:30:00.000Z"],
  ["after daylight saving time starts", "2027-03-28", "02:30", "Europe/Lisbon", "2027-03-28T01:30:00.000Z"],
  ["before daylight saving time starts", "2027-03-28", "01:30", "Europe/Athens", "2027-03-27T23:30:00.000Z"],
  ["after daylight saving time ends", "2027-10-31", "04:30", "Europe/Athens", "2027-10-31T02:30:00.000Z"],
  ["without daylight saving time", "2027-03-28", "02:30", "Asia/Tokyo", "2027-03-27T17:30:00.000Z"],
])("a local time is converted with the offset that applies then: %s, %s %s %s", (_, date, time, timeZone, instant) => {
  expect(zonedInstant(date, time, timeZone).toISOString()).toBe(instant);
});
