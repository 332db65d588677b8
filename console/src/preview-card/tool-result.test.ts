import { describe, expect, it } from "vitest";
import { stateOfCommit, stateOfResult, stateWithoutResponse } from "./card-state.ts";
import { visible } from "./elements.ts";
import { toolNameOf } from "./host-context.ts";
import { readResult, type ToolResult } from "./tool-result.ts";

const id = "00000000-0000-0000-0000-00000000000a";
const read = (structuredContent: object, more: ToolResult = {}) =>
  readResult({ structuredContent, ...more }, "Asia/Tokyo");

function preview(fields: object, more?: ToolResult) {
  const shown = read({ dry_run: true, warnings: [], current: {}, proposed: {}, commit_with: {}, ...fields }, more);
  if (shown.kind !== "preview") throw new Error(`not a preview but ${shown.kind}`);
  return shown.preview;
}

const venue = (from: string, to: string) => ({ current: { venue: from }, proposed: { venue: to } });

describe("a preview", () => {
  it("names what it is about once, and shows the fields below", () => {
    const { subjects, differences } = preview({
      current: { speaker: { id, name: "Ana", email: "ana@example.com", title: null } },
      proposed: { speaker: { id, name: "Ana", email: "ana@example.com", title: "Host" } },
    });
    expect(subjects).toEqual([{ label: "Speaker", name: "Ana, ana@example.com" }]);
    expect(differences).toEqual([{ kind: "value", label: "Title", from: null, to: "Host" }]);
  });

  it.each([
    ["the event's zone", {}, { timezone: "Europe/Lisbon" }, "Lisbon time"],
    ["the zone of the state", { timezone: "America/Lima" }, { timezone: "Europe/Lisbon" }, "Lima time"],
    ["the person's zone", {}, undefined, "Tokyo time"],
    ["the person's zone, for an unknown one", {}, { timezone: "Mars/Base" }, "Tokyo time"],
  ])("shows times in %s", (_name, state, event, expected) => {
    const proposed = { start_time: "2031-05-01T18:00+00:00", ...state };
    expect(preview({ event, current: state, proposed }).differences[0]).toMatchObject({
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
        current: { poster: null, registration: { previous_status: null } },
        proposed: { poster, registration: { previous_status: "approved" } },
      },
      { content: [{ type: "image", mimeType: "image/webp", data: "UklGRg==" }] },
    );
    expect(differences).toEqual([
      { kind: "row", label: "Poster", change: "added", fields: [{ name: "Title", value: "Dusk" }] },
    ]);
    expect(images).toEqual([{ url: "data:image/webp;base64,UklGRg==", alt: "A poster" }]);
    const fields = Array.from({ length: 70 }, (_, index) => [`field_${index}`, 1]);
    expect(preview({ proposed: Object.fromEntries(fields) })).toMatchObject({
      differenceCount: 70,
      differences: { length: 50 },
    });
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
    const verdicts = [
      { id, name: "Ana", email: "ana@example.com", from: "pending", to: "approved" },
      { id: "b", name: "Ben", email: "ben@example.com", from: "approved", to: "approved" },
    ];
    const registrations = (status: string) => ({ registrations: [{ id, name: "Ana", status }] });
    const states = { current: registrations("pending"), proposed: registrations("approved") };
    expect(preview({ ...states, selected: 2, changed: 1, verdicts })).toMatchObject({
      changesNothing: false,
      verdicts: ["Ana: pending → approved", "Ben: approved, unchanged"],
      differences: [],
      notes: ["1 of 2 change."],
    });
    const same = { current: registrations("approved"), proposed: registrations("approved") };
    expect(preview({ ...same, selected: 1, changed: 0, verdicts }).changesNothing).toBe(true);
  });
});

describe("the rest of a preview", () => {
  it("has the warnings, what belongs to the commit, and what else the tool says", () => {
    const more = {
      warnings: [{ code: "long", message: "It takes 8 days." }, { code: "x" }],
      commit_with: { idempotency_key: "k" },
      ...venue("A", "B"),
      effect: "Guests get no message.",
      note: "A note.",
      message: "Preview only.",
      missing: ["a logo", "a venue"],
      reverts: { tool: "update_event_details", at: "2031-05-01T18:00:00.000Z" },
    };
    expect(preview(more)).toMatchObject({
      warnings: ["It takes 8 days."],
      commitWith: { idempotency_key: "k" },
      changesNothing: false,
      notes: [
        "Undoes “Update event details” of Fri 2 May 2031, 03:00, Tokyo time.",
        "Guests get no message.",
        "A note.",
        "Preview only.",
        "Missing: a logo; a venue",
      ],
    });
  });

  it("describes drawings by their texts, in their order", () => {
    const image = { type: "image", mimeType: "image/png", data: "AAAA" };
    const drafts = ["Dusk", "Dawn"].map((alt_text) => ({ id: null, alt_text, image_url: "/x.png" }));
    const states = { current: { drafts: [] }, proposed: { drafts } };
    const { images } = preview(states, { content: [image, { type: "text", text: "…" }, image, image] });
    expect(images.map(({ alt }) => alt)).toEqual(["Dusk", "Dawn", "Drawing 3"]);
  });

  it("names a row without an address by its name, and one with nothing but an address once", () => {
    const current = { guest: { id, email: "ana@example.com" }, speaker: { id, name: "Ben" }, event: { name: "Dusk" } };
    expect(preview({ current }).subjects).toEqual([
      { label: "Guest", name: "ana@example.com" },
      { label: "Speaker", name: "Ben" },
    ]);
  });

  it("survives results of any shape", () => {
    for (const structuredContent of [
      { dry_run: true },
      { dry_run: true, verdicts: [1, null, {}], warnings: "x", current: [], proposed: "x" },
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
  const [about, event] = [{ tool: "update_event_details" }, { name: "Dusk" }];
  const first = preview({ about, event, ...venue("A", "B") });
  const error = (code: string, fields: object = {}) =>
    read({ error: { code, message: "Why" }, ...fields }, { isError: true });

  it("from a commit that was refused: the preview stays", () => {
    expect(stateOfCommit(first, error("invalid_input"))).toMatchObject({
      step: "ready",
      preview: first,
      notice: { tone: "danger", text: "Why" },
    });
  });

  it("from a conflict: its preview of the same change", () => {
    const conflict = error("version_conflict", { ...venue("C", "B"), commit_with: { a: 1 } });
    expect(stateOfCommit(first, conflict)).toMatchObject({
      step: "ready",
      preview: { commitWith: { a: 1 }, differences: [{ from: "C", to: "B" }] },
      notice: { tone: "warning" },
    });
    expect(stateOfResult(conflict)).toMatchObject({ step: "ready", notice: { tone: "warning" } });
  });

  it.each(["version_conflict", "idempotency_conflict"])("from a %s without a preview: a new preview", (code) => {
    expect(stateOfCommit(first, error(code))).toMatchObject({ step: "stopped", canPreviewAgain: true });
  });

  it("from results of the tool itself: a preview, what is done, or why not", () => {
    expect(stateOfResult({ kind: "preview", preview: first })).toEqual({ step: "ready", preview: first });
    const committed = read({ dry_run: false, record_id: id, about });
    expect(stateOfResult(committed)).toEqual({ step: "done", committed });
    expect(stateOfResult(error("forbidden"))).toEqual({
      step: "stopped",
      notice: { tone: "danger", title: "This change is not possible", text: "Why" },
      canPreviewAgain: false,
    });
    expect(stateOfResult(error("version_conflict"))).toMatchObject({ step: "stopped", canPreviewAgain: true });
    expect(stateOfResult(error("idempotency_conflict"))).toMatchObject({ step: "stopped", canPreviewAgain: true });
  });

  it("from a commit that previews once more: its preview, to be confirmed", () => {
    const second = preview({ about, ...venue("C", "B") });
    expect(stateOfCommit(first, { kind: "preview", preview: second })).toMatchObject({
      step: "ready",
      preview: second,
      notice: { tone: "warning" },
    });
  });

  it("from a missing response: the same commit may be sent again", () => {
    const text = (given: unknown) => {
      const state = stateWithoutResponse(first, given);
      expect(state).toMatchObject({ step: "ready", preview: first, isUnknown: true, notice: { tone: "danger" } });
      return state.step === "ready" ? state.notice?.text : undefined;
    };
    const rest = "The change may have been made. Confirm again to find out: it is never made twice.";
    expect(["Lost", "Lost."].map((message) => text(new Error(message)))).toEqual([`Lost. ${rest}`, `Lost. ${rest}`]);
    expect(text("lost")).toBe(rest);
  });

  it("from a commit: what was done, with its record", () => {
    const committed = read({
      dry_run: false,
      record_id: id,
      before: { venue: "A" },
      after: { venue: "B", event_id: id },
    });
    expect(stateOfCommit(first, committed)).toMatchObject({
      step: "done",
      preview: first,
      committed: { recordId: id, state: [{ name: "Venue", value: "B" }] },
    });
    const inner = { id, title: "Dusk", image_url: "/x.png", previous_status: "a", start_time: "2031-05-01T18:00:00Z" };
    expect(
      read({
        dry_run: false,
        event: { timezone: "Europe/Lisbon" },
        before: { poster: null },
        after: { poster: inner },
      }),
    ).toEqual({
      kind: "committed",
      about: { timezone: "Europe/Lisbon" },
      warnings: [],
      notes: [],
      state: [
        { name: "Title", value: "Dusk" },
        { name: "Start time", value: "Thu 1 May 2031, 19:00, Lisbon time" },
      ],
    });
  });
});

it.each([
  ["a\u202eb", "a[U+202E]b"],
  ["a\u2066b\u2069", "a[U+2066]b[U+2069]"],
  ["a\u2028b", "a[U+2028]b"],
  ["a\u0000b\u0085", "a[U+0000]b[U+0085]"],
  ["a\tb\r\nc é 😀", "a\tb\r\nc é 😀"],
])("shows what could hide or reorder text as its code: %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it("knows the tool from the host where the result does not say it", () => {
  const given = [{ tool: { name: "add_event_speaker" } }, { tool: { name: 1 } }, { tool: null }, undefined];
  expect(given.map((toolInfo) => toolNameOf({ toolInfo }))).toEqual(["add_event_speaker", ...Array(3).fill(undefined)]);
});
