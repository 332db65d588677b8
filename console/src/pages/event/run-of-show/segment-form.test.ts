import { describe, expect, it } from "vitest";
import { formArguments, formOf, formProblems, newForm } from "./segment-form.ts";
import { at, segment } from "./test-segments.ts";

const lisbon = "Europe/Lisbon";

describe("the form of a segment", () => {
  it("has the start on the event's clock", () => {
    expect(newForm({ start: at("18:00"), minutes: 30 }, lisbon).start).toBe("2031-05-01T19:00");
  });

  it("sends all of a new segment", () => {
    const form = { ...newForm({ start: at("18:00"), minutes: 30 }, lisbon), title: " Opening ", speakerIds: ["ana"] };
    expect(formArguments(form, undefined, lisbon)).toEqual({
      title: "Opening",
      kind: "talk",
      start_time: "2031-05-01T18:00:00.000Z",
      duration_minutes: 30,
      location: null,
      notes: null,
      speaker_ids: ["ana"],
    });
  });

  it("sends only what differs, and clears what was emptied", () => {
    const before = formOf(segment("a", "18:00", 30, { location: "Stage", speaker_ids: ["ana", "ben"] }), lisbon);
    expect(formArguments(before, before, lisbon)).toEqual({});
    const after = { ...before, location: " ", speakerIds: ["ben", "ana"] };
    expect(formArguments(after, before, lisbon)).toEqual({ location: null, speaker_ids: ["ben", "ana"] });
    const other = {
      title: " New ",
      kind: "panel",
      start: "2031-05-01T20:00",
      minutes: 40,
      notes: " Lights. ",
    } as const;
    expect(formArguments({ ...before, ...other, location: " Hall " }, before, lisbon)).toEqual({
      title: "New",
      kind: "panel",
      start_time: "2031-05-01T19:00:00.000Z",
      duration_minutes: 40,
      location: "Hall",
      notes: "Lights.",
    });
  });

  it("does not move a segment in the hour that the clocks repeat", () => {
    const second = formOf(segment("a", "01:30", 30, { start_time: "2027-10-31T01:30:00.000Z" }), lisbon);
    expect(formArguments({ ...second, title: "New" }, second, lisbon)).toEqual({ title: "New" });
  });

  it.each([
    ["title", { title: "  " }],
    ["start", { start: "" }],
    ["start", { start: "2027-03-28T01:30" }],
    ["minutes", { minutes: Number.NaN }],
    ["minutes", { minutes: 0 }],
    ["minutes", { minutes: 1.5 }],
    ["minutes", { minutes: 10_081 }],
    ["notes", { notes: "x".repeat(4001) }],
    ["speakerIds", { speakerIds: Array.from({ length: 51 }, (_, n) => `s${n}`) }],
  ])("refuses a wrong %s", (field, change) => {
    const form = { ...newForm({ start: at("18:00"), minutes: 30 }, lisbon), title: "Opening" };
    expect(formProblems(form, lisbon)).toEqual({});
    expect(Object.keys(formProblems({ ...form, ...change }, lisbon))).toEqual([field]);
  });

  it("accepts as much as the service does", () => {
    const form = { ...newForm({ start: at("18:00"), minutes: 1 }, lisbon), title: "Opening", notes: "x".repeat(4000) };
    const speakerIds = Array.from({ length: 50 }, (_, n) => `s${n}`);
    expect(formProblems({ ...form, speakerIds }, lisbon)).toEqual({});
    expect(formProblems({ ...form, minutes: 10_080 }, lisbon)).toEqual({});
  });
});
