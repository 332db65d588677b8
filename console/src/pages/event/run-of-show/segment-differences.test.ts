import { expect, it } from "vitest";
import { changesBetween } from "../../../../../contract/changes.ts";
import type { Preview } from "../../../api/tools.ts";
import { segmentDifferences } from "./segment-differences.ts";
import { segment } from "./test-segments.ts";

type Fields = Record<string, unknown>;

const [ana, ben] = [
  { id: "ana", name: "Ana Silva" },
  { id: "ben", name: "Ben Okri" },
];
const differences = (before: Fields[], after: Fields[]) => {
  const [current, proposed] = [{ segments: before }, { segments: after }];
  const preview = { current, proposed, changes: changesBetween(current, proposed) } as unknown as Preview;
  return segmentDifferences(preview, "Europe/Lisbon");
};
const ofOne = (before: Fields, after: Fields) =>
  differences([{ id: "a", title: "Opening", ...before }], [{ id: "a", title: "Opening", ...after }]);

it("says a segment's fields as people do, on the clock of the zone", () => {
  expect(
    ofOne(
      { start_time: "2031-05-01T18:00:00.000Z", duration_minutes: 30, kind: "talk", speakers: [ana], location: null },
      {
        start_time: "2031-05-01T18:30:00.000Z",
        duration_minutes: 90,
        kind: "panel",
        speakers: [ben, ana],
        location: "B",
      },
    ),
  ).toEqual(
    [
      ...[{ label: "Start", from: "Thu 1 May 2031, 19:00, Lisbon time", to: "Thu 1 May 2031, 19:30, Lisbon time" }],
      { label: "Length", from: "30 min", to: "1 h 30 min" },
      { label: "Kind", from: "Talk", to: "Panel" },
      { label: "Speakers", from: "Ana Silva", to: "Ben Okri, Ana Silva" },
      { label: "Location", from: null, to: "B" },
    ].map((difference) => ({ kind: "value", ...difference })),
  );
});

it("says that nobody is left, and shows a new order of speakers", () => {
  expect(ofOne({ speakers: [ana, ben] }, { speakers: [] })).toMatchObject([{ from: "Ana Silva, Ben Okri", to: null }]);
  expect(ofOne({ speakers: [ana, ben] }, { speakers: [ben, ana] })).toMatchObject([{ to: "Ben Okri, Ana Silva" }]);
});

it("compares notes by words, unless there were none", () => {
  expect(ofOne({ notes: "Old." }, { notes: "New." })).toEqual([
    { kind: "text", label: "Notes", from: "Old.", to: "New." },
  ]);
  expect(ofOne({ notes: null }, { notes: "New." })).toMatchObject([{ kind: "value", from: null, to: "New." }]);
});

it("names the segment of each difference among several", () => {
  const segments = [segment("a", "18:00", 30, { title: "Opening" }), segment("b", "18:30", 30, { title: "Break" })];
  const labels = differences(
    segments,
    segments.map((row) => ({ ...row, duration_minutes: 20 })),
  );
  expect(labels).toEqual([
    { kind: "value", label: "Opening › Length", from: "30 min", to: "20 min" },
    { kind: "value", label: "Break › Length", from: "30 min", to: "20 min" },
  ]);
});

it("shows all of a segment that comes or goes, without what is empty", () => {
  const { speaker_ids: _, ...stored } = segment("a", "18:00", 30, { title: "Opening" });
  const whole = { ...stored, speakers: [ana] };
  const fields = [
    { name: "Start", value: "Thu 1 May 2031, 19:00, Lisbon time" },
    { name: "Length", value: "30 min" },
    { name: "Kind", value: "Talk" },
    { name: "Speakers", value: "Ana Silva" },
  ];
  expect(differences([whole], [])).toEqual([{ kind: "row", label: "Opening", change: "removed", fields }]);
  expect(differences([], [{ ...whole, id: null }])).toEqual([
    { kind: "row", label: "Opening", change: "added", fields },
  ]);
});
