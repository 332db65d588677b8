import { expect, it } from "vitest";
import { sentenceOf, sentenceText, type ToldChange } from "./change-sentence.js";

const guests = (...names: string[]) => names.map((name, place) => ({ kind: "guest", id: `${place}`, name }));

const told = (fields: Partial<ToldChange>, event?: string) =>
  sentenceText(
    sentenceOf({
      tool: "add_event_guest",
      action: null,
      about: { subjects: [], in_all: 0 },
      reverts: null,
      parts: null,
      changes: [],
      ...fields,
    }),
    event,
  );

it.each([
  ["one guest", { about: { subjects: guests("Ana"), in_all: 1 } }, "added Ana for Keynote"],
  [
    "more than it names",
    {
      tool: "batch_update_event_registrations",
      action: "approve",
      about: { subjects: guests("Ana", "Ben"), in_all: 1008 },
    },
    "approved 1,008 guests of Keynote: Ana, Ben and 1,006 more",
  ],
  [
    "a change in parts",
    {
      tool: "set_event_registration_check_in",
      action: "true",
      about: { subjects: guests("Ana"), in_all: 1 },
      parts: { changed: 3 },
    },
    "checked in 3 guests of Keynote: Ana and 2 more",
  ],
  [
    "a revert",
    {
      tool: "revert_change",
      action: "decline",
      reverts: { tool: "batch_update_event_registrations", origin: "batch_update_event_registrations" },
      about: { subjects: guests("Ana"), in_all: 1 },
    },
    "undid: declined Ana for Keynote",
  ],
  [
    "the revert of a revert",
    {
      tool: "revert_change",
      action: "decline",
      reverts: { tool: "revert_change", origin: "batch_update_event_registrations" },
      about: { subjects: guests("Ana"), in_all: 1 },
    },
    "redid: declined Ana for Keynote",
  ],
  [
    "fields",
    { tool: "update_event_details", changes: ["venue", "end_time", "capacity", "name"].map((path) => ({ path })) },
    "changed the venue, end time, capacity and 1 more of Keynote",
  ],
  ["a whole", { tool: "set_event_run_of_show_publication", action: "false" }, "withdrew the run of show of Keynote"],
  ["a tool that is told by its name", { tool: "reorder_event_speakers" }, "reordered event speakers of Keynote"],
  ["what is not in the tables", { tool: "constructor", action: "constructor" }, "constructor of Keynote"],
] satisfies [string, Partial<ToldChange>, string][])("tells %s", (_, fields, text) => {
  expect(told(fields, "Keynote")).toBe(text);
});
