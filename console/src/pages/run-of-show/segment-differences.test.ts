import { expect, it } from "vitest";
import type { FieldChange, Json, Preview } from "../../api/tools.ts";
import { segmentDifferences } from "./segment-differences.ts";
import { segment } from "./test-segments.ts";

const names = new Map([
  ["ana", "Ana Silva"],
  ["ben", "Ben Okri"],
]);
const differences = (changes: FieldChange[], current: Json = {}) =>
  segmentDifferences({ current, changes } as Preview, names, "Europe/Lisbon");

it("says a segment's fields as people do, on the clock of the zone", () => {
  expect(
    differences([
      { path: "segment.start_time", from: "2031-05-01T18:00:00.000Z", to: "2031-05-01T18:30:00.000Z" },
      { path: "segment.duration_minutes", from: 30, to: 90 },
      { path: "segment.kind", from: "talk", to: "panel" },
      { path: "segment.speaker_ids", from: ["ana"], to: ["ben", "ana", "gone"] },
      { path: "segment.location", from: null, to: "Stage" },
    ]),
  ).toEqual(
    [
      ...[{ label: "Start", from: "Thu 1 May 2031, 19:00, Lisbon time", to: "Thu 1 May 2031, 19:30, Lisbon time" }],
      { label: "Length", from: "30 min", to: "1 h 30 min" },
      { label: "Kind", from: "Talk", to: "Panel" },
      { label: "Speakers", from: "Ana Silva", to: "Ben Okri, Ana Silva, Unknown speaker" },
      { label: "Location", from: null, to: "Stage" },
    ].map((difference) => ({ kind: "value", ...difference })),
  );
});

it("says that nobody is left", () => {
  expect(differences([{ path: "segment.speaker_ids", from: ["ana"], to: [] }])).toMatchObject([
    { from: "Ana Silva", to: null },
  ]);
});

it("compares notes by words, unless there were none", () => {
  expect(differences([{ path: "segment.notes", from: "Old.", to: "New." }])).toEqual([
    { kind: "text", label: "Notes", from: "Old.", to: "New." },
  ]);
  expect(differences([{ path: "segment.notes", from: null, to: "New." }])).toMatchObject([
    { kind: "value", from: null, to: "New." },
  ]);
});

it("names the segment of each difference among several", () => {
  const segments = [segment("a", "18:00", 30, { title: "Opening" }), segment("b", "18:30", 30, { title: "Break" })];
  const labels = differences([{ path: "segments[b].duration_minutes", from: 30, to: 20 }], { segments });
  expect(labels).toEqual([{ kind: "value", label: "Break › Length", from: "30 min", to: "20 min" }]);
});

it("shows all of a segment that comes or goes, without what is empty", () => {
  const whole = segment("a", "18:00", 30, { title: "Opening", speaker_ids: ["ana"] });
  const fields = [
    { name: "Start", value: "Thu 1 May 2031, 19:00, Lisbon time" },
    { name: "Length", value: "30 min" },
    { name: "Kind", value: "Talk" },
    { name: "Speakers", value: "Ana Silva" },
  ];
  expect(differences([{ path: "segments[a]", from: whole, to: null }])).toEqual([
    { kind: "row", label: "Opening", change: "removed", fields },
  ]);
  expect(differences([{ path: "segment", from: null, to: whole }])).toEqual([
    { kind: "row", label: "Opening", change: "added", fields },
  ]);
});
