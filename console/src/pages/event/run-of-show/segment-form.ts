import type { Segment } from "../../../../../contract/console/event.ts";
import type { SegmentKind } from "../../../../../contract/nouns.ts";
import { maximumText } from "../../../../../contract/nouns.ts";
import { longestMinutes, maximumSegmentSpeakers, shortestMinutes } from "../../../../../contract/run-of-show.ts";
import type { Json } from "../../../api/tools.ts";
import { formatCount } from "../../../format/counts.ts";
import { fromZonedInput, toZonedInput } from "../../../format/zoned-input.ts";

/** A segment as its form has it. */
export type SegmentForm = {
  title: string;
  kind: SegmentKind;
  /** As a field has it, in the event's zone. */
  start: string;
  /** NaN while the field is empty. */
  minutes: number;
  location: string;
  notes: string;
  speakerIds: string[];
};

export const segmentLabels: Record<keyof SegmentForm, string> = {
  title: "Title",
  start: "Start",
  minutes: "Length in minutes",
  kind: "Kind",
  location: "Location",
  speakerIds: "Speakers",
  notes: "Notes",
};

export type NewSegment = { start: number; minutes: number };

export function formOf(segment: Segment, zone: string): SegmentForm {
  const { title, kind, start_time, duration_minutes, location, notes, speaker_ids } = segment;
  return {
    title,
    kind,
    start: toZonedInput(start_time, zone),
    minutes: duration_minutes,
    location: location ?? "",
    notes: notes ?? "",
    speakerIds: speaker_ids,
  };
}

export const newForm = ({ start, minutes }: NewSegment, zone: string): SegmentForm => ({
  title: "",
  kind: "talk",
  start: toZonedInput(start, zone),
  minutes,
  location: "",
  notes: "",
  speakerIds: [],
});

/** What has to be corrected first, by field. The service checks the same. */
export function formProblems(form: SegmentForm, zone: string): Partial<Record<keyof SegmentForm, string>> {
  const { title, start, minutes, notes, speakerIds } = form;
  return {
    ...(title.trim() === "" ? { title: "Give the segment a title." } : {}),
    ...(fromZonedInput(start, zone) === undefined
      ? { start: "Choose a day and a time. When the clocks go forward, the hour that they skip does not exist." }
      : {}),
    ...(Number.isInteger(minutes) && minutes >= shortestMinutes && minutes <= longestMinutes
      ? {}
      : { minutes: "Whole minutes, from 1 to 10,080 (a week)." }),
    ...(notes.length > maximumText
      ? { notes: `At most ${formatCount(maximumText)} characters; these are ${formatCount(notes.length)}.` }
      : {}),
    ...(speakerIds.length > maximumSegmentSpeakers
      ? { speakerIds: `At most ${maximumSegmentSpeakers} speakers.` }
      : {}),
  };
}

/**
 * The arguments of the tool: all for a new segment, else those that differ from `before`. A start that was not touched is
 * not sent: in the hour that the clocks repeat, the field cannot say which of the two it is.
 */
export function formArguments(form: SegmentForm, before: SegmentForm | undefined, zone: string): Json {
  const isChanged = (name: keyof SegmentForm) =>
    before === undefined || JSON.stringify(form[name]) !== JSON.stringify(before[name]);
  const values: [keyof SegmentForm, string, unknown][] = [
    ["title", "title", form.title.trim()],
    ["kind", "kind", form.kind],
    ["start", "start_time", fromZonedInput(form.start, zone)],
    ["minutes", "duration_minutes", form.minutes],
    ["location", "location", form.location.trim() || null],
    ["notes", "notes", form.notes.trim() || null],
    ["speakerIds", "speaker_ids", form.speakerIds],
  ];
  return Object.fromEntries(values.flatMap(([name, field, value]) => (isChanged(name) ? [[field, value]] : [])));
}
