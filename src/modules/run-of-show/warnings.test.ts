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

const segment = (title: string, clock: string, duration_minutes: number) => ({
  id: title,
  title,
  start_time: `2031-05-01T${clock}:00.000Z`,
  duration_minutes,
});
const messageOf = (segments: ReturnType<typeof segment>[], total?: number) =>
  outsideWarnings(event, segments, total).map(({ message }) => message);

it("segments outside of the event are one warning, in local times", () => {
  expect(messageOf([segment("Close", "19:55", 10)])).toEqual([
    "“Close” ends after the event (21:00), at 21:05. Set end_time with update_event_details",
  ]);
  expect(messageOf([segment("Doors", "17:30", 10)])).toEqual([
    "“Doors” begins before the event (19:00), at 18:30. Set start_time with update_event_details",
  ]);
  const late = [segment("Party", "22:50", 30), segment("Dinner", "20:00", 60), segment("Talk", "18:00", 30)];
  expect(messageOf(late, 11)).toEqual([
    "2 of 11 segments end after the event (21:00); the last at 2031-05-02 00:20. Set end_time with update_event_details",
  ]);
  const early = [segment("Doors", "17:30", 10), segment("Sound check", "16:00", 10)];
  expect(messageOf([...late, ...early])).toEqual([
    "2 of 5 segments begin before the event (19:00); the first at 17:00. 2 of 5 segments end after the event (21:00); the last at 2031-05-02 00:20. Set start_time and end_time with update_event_details",
  ]);
});
