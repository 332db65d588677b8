import { expect, it } from "vitest";
import { type EventDraft, eventArgs, eventProblems, newEvent } from "./event-draft.ts";

const conference = { id: "1", timezone: "Europe/Lisbon", start_date: "2031-05-04" };
const draft: EventDraft = { ...newEvent(conference), organization_id: "2", name: "Opening", end: "2031-05-04T20:00" };
const problemsOf = (changes: Partial<EventDraft>) =>
  Object.entries(eventProblems({ ...draft, ...changes })).filter(([, problem]) => problem !== undefined);

it("starts on the evening of the first day of its conference", () => {
  expect(newEvent(conference)).toEqual({
    conference_id: "1",
    organization_id: null,
    name: "",
    venue: "",
    description: "",
    category: "mainline",
    timezone: "Europe/Lisbon",
    start: "2031-05-04T18:00",
    end: "",
  });
  expect(newEvent()).toMatchObject({ conference_id: null, timezone: null, start: "", end: "" });
});

it("says what is missing or wrong", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf(newEvent()).map(([name]) => name)).toEqual([
    ...["conference_id", "organization_id", "name", "timezone", "start", "end"],
  ]);
  const order = "It must end after it starts";
  expect(problemsOf({ end: "2031-05-04T18:00" })).toEqual([["end", order]]);
  expect(problemsOf({ end: "2031-05-04T17:59" })).toEqual([["end", order]]);
  expect(problemsOf({ end: "2031-05-04T18:01" })).toEqual([]);
});

it("refuses times that the clocks of its time zone skip", () => {
  const skipped = "The clocks of the time zone skip this time: enter another";
  const night = { start: "2031-03-30T01:30", end: "2031-03-30T03:00" };
  expect(problemsOf(night)).toEqual([["start", skipped]]);
  expect(problemsOf({ ...night, timezone: "Europe/Berlin" })).toEqual([]);
  expect(problemsOf({ start: "2031-03-30T00:30", end: "2031-03-30T01:30" })).toEqual([["end", skipped]]);
});

it("sends instants, and nothing for what is empty", () => {
  const sent = { conference_id: "1", organization_id: "2", name: "Opening", category: "mainline" };
  const times = { start_time: "2031-05-04T17:00:00.000Z", end_time: "2031-05-04T19:00:00.000Z" };
  const rest = { timezone: "Europe/Lisbon", venue: null, description: null };
  expect(eventArgs(draft)).toEqual({ ...sent, ...times, ...rest });
  expect(eventArgs({ ...draft, venue: "Pier 9", description: "Come" })).toMatchObject({
    venue: "Pier 9",
    description: "Come",
  });
});
