import { describe, expect, it } from "vitest";
import { stateOfCommit, stateOfResult } from "./card-state.ts";
import { readResult, type ToolResult } from "./tool-result.ts";

const id = "00000000-0000-0000-0000-00000000000a";
const read = (structuredContent: object, more: ToolResult = {}) =>
  readResult({ structuredContent, ...more }, "Asia/Tokyo");

function preview(fields: object, more?: ToolResult) {
  const shown = read({ dry_run: true, changes: [], warnings: [], current: {}, commit_with: {}, ...fields }, more);
  if (shown.kind !== "preview") throw new Error(`not a preview but ${shown.kind}`);
  return shown.preview;
}

describe("a preview", () => {
  it("names what it is about once, and shows the fields below", () => {
    const { subjects, differences } = preview({
      current: { speaker: { id, name: "Ana", email: "ana@example.com" } },
      changes: [{ path: "speaker.title", from: null, to: "Host" }],
    });
    expect(subjects).toEqual([{ label: "Speaker", name: "Ana, ana@example.com" }]);
    expect(differences).toEqual([{ kind: "value", label: "Title", from: null, to: "Host" }]);
  });

  it.each([
    ["the event's zone", { about: { timezone: "Europe/Lisbon" } }, "Lisbon time"],
    [
      "the zone of the state",
      { current: { timezone: "America/Lima" }, about: { timezone: "Europe/Lisbon" } },
      "Lima time",
    ],
    ["the person's zone", {}, "Tokyo time"],
    ["the person's zone, for an unknown one", { about: { timezone: "Mars/Base" } }, "Tokyo time"],
  ])("shows times in %s", (_name, fields, expected) => {
    const change = { path: "start_time", from: null, to: "2031-05-01T18:00:00.000Z" };
    expect(preview({ ...fields, changes: [change] }).differences[0]).toMatchObject({
      to: expect.stringContaining(expected),
    });
  });

  it("leaves out what says nothing to people, and bounds the rest", () => {
    const poster = {
      id: null,
      title: "Dusk",
      image_url: "https://a.example/x.png",
      alt_text: "A poster",
      created_at: null,
    };
    const { differences, images } = preview(
      {
        changes: [
          { path: "poster", from: null, to: poster },
          { path: "registration.previous_status", from: null, to: "approved" },
        ],
      },
      { content: [{ type: "image", mimeType: "image/webp", data: "UklGRg==" }] },
    );
    expect(differences).toEqual([
      { kind: "row", label: "Poster", change: "added", fields: [{ name: "Title", value: "Dusk" }] },
    ]);
    expect(images).toEqual([{ url: "data:image/webp;base64,UklGRg==", alt: "A poster" }]);
    const changes = Array.from({ length: 70 }, (_, index) => ({ path: `field_${index}`, from: 0, to: 1 }));
    expect(preview({ changes })).toMatchObject({ differenceCount: 70, differences: { length: 50 } });
  });

  it.each([
    ["text/html", "PGI+"],
    ["image/svg+xml", "PHN2Zz4="],
    ["image/png", 'x" onerror="alert(1)'],
    ['image/png" onload="', "AAAA"],
  ])("shows no image of type %j with data %j", (mimeType, data) => {
    expect(preview({}, { content: [{ type: "image", mimeType, data }] }).images).toEqual([]);
  });

  it("changes nothing if nothing differs and no row of a batch changes", () => {
    expect(preview({ message: "Nothing to change: this is the current state." })).toMatchObject({
      changesNothing: true,
      notes: [],
    });
    const verdicts = { [id]: "Ana: pending → approved" };
    expect(preview({ selected: 2, changed: 1, verdicts })).toMatchObject({
      changesNothing: false,
      verdicts: ["Ana: pending → approved"],
      notes: ["1 of 2 change."],
    });
    expect(preview({ selected: 1, changed: 0, verdicts }).changesNothing).toBe(true);
  });

  it("survives results of any shape", () => {
    for (const structuredContent of [
      { dry_run: true },
      { dry_run: true, changes: [1, null, {}], warnings: "x", current: [] },
    ])
      expect(read(structuredContent).kind).toBe("preview");
    expect(readResult({}, "UTC")).toEqual({ kind: "failed", message: "The result cannot be shown here." });
    expect(readResult({ content: [{ type: "text", text: "Only text" }] }, "UTC")).toMatchObject({
      message: "Only text",
    });
    expect(readResult({ isError: true, content: [{ type: "text", text: "Refused" }] }, "UTC")).toMatchObject({
      kind: "failed",
      message: "Refused",
    });
  });
});

describe("what follows", () => {
  const about = { tool: "update_event_details", event: "Dusk" };
  const first = preview({ about, changes: [{ path: "venue", from: "A", to: "B" }] });
  const error = (code: string, details: object = {}) =>
    read({ error: { code, message: "Why", ...details } }, { isError: true });

  it("from a commit that was refused: the preview stays", () => {
    expect(stateOfCommit(first, error("invalid_input"))).toMatchObject({
      step: "ready",
      preview: first,
      notice: { tone: "danger", text: "Why" },
    });
  });

  it("from a conflict: its preview of the same change", () => {
    const conflict = error("version_conflict", {
      changes: [{ path: "venue", from: "C", to: "B" }],
      commit_with: { a: 1 },
    });
    expect(stateOfCommit(first, conflict)).toMatchObject({
      step: "ready",
      preview: { about, commitWith: { a: 1 }, differences: [{ from: "C", to: "B" }] },
      notice: { tone: "warning" },
    });
    expect(stateOfResult(conflict)).toMatchObject({ step: "ready", notice: { tone: "warning" } });
  });

  it.each(["version_conflict", "idempotency_conflict"])("from a %s without a preview: a new preview", (code) => {
    expect(stateOfCommit(first, error(code))).toMatchObject({ step: "stopped", canPreviewAgain: true });
  });

  it("from a commit: what was done, with its record", () => {
    const committed = read({ dry_run: false, record_id: id, after: { venue: "B", event_id: id } });
    expect(stateOfCommit(first, committed)).toMatchObject({
      step: "done",
      preview: first,
      committed: { recordId: id, state: [{ name: "Venue", value: "B" }] },
    });
  });
});
