import { beforeEach, describe, expect, it } from "vitest";
import { legacy, post } from "../mcp/messages.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { toolArguments } from "./tool-arguments.js";
import { type ToolClient, toolClient } from "./tool-client.js";

// Section 4.4 of the specification, mutation contract: its four rules, for every mutating tool that tools/list gives.

type Fields = Record<string, unknown>;

const unlimited = { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000 };
const { service, db, make } = useService(() => startService({ limits: unlimited }));
const reason = "The host asked for it";
const commitArguments = ["confirm", "reason", "idempotency_key", "expected_version"];

let fixture: EventFixture;
let tools: ToolClient;

beforeEach(async () => {
  fixture = await createEventFixture(db);
  const { organizationId, caller } = fixture;
  tools = toolClient(service, await make.organizationKey(organizationId, { userId: caller.userId }));
});

const mutations = [
  ...["update_organization_profile", "update_organization_branding", "set_organization_logo_urls", "revert_change"],
  ...["update_event_details", "add_event_cohost", "remove_event_cohost", "set_event_primary_host"],
  ...["add_event_speaker", "update_event_speaker", "remove_event_speaker", "reorder_event_speakers"],
  ...["add_event_guest", "approve_event_registration", "decline_event_registration", "waitlist_event_registration"],
  ...["restore_event_registration", "batch_update_event_registrations", "set_event_registration_check_in"],
  ...["generate_event_poster_draft", "set_event_poster_publication", "update_event_poster", "remove_event_poster"],
  ...["create_event_segment", "update_event_segment", "remove_event_segment", "reorder_event_segments"],
  "set_event_run_of_show_publication",
];

it("4.4 mutation contract: the tools below are the mutating tools of tools/list", async () => {
  const key = await make.organizationKey(fixture.organizationId);
  const listed: { name: string; annotations: { readOnlyHint: boolean } }[] = (
    await post(service, key, legacy("tools/list"))
  ).json.result.tools;
  const mutating = listed.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(mutating.toSorted()).toEqual(mutations.toSorted());
});

describe.each(mutations)("4.4 mutation contract: %s", (name) => {
  it("previews by default, commits what the preview proposed, once, and records it", async () => {
    const { args, event } = await example(name);

    // Rule 1: dry_run=true is the default. A preview has the current and the proposed state, and changes nothing.
    const preview = await tools.run(name, args);
    expectPreview(preview, args, event);
    expect(preview.commit_with).not.toHaveProperty("reason");
    const again = await tools.run(name, { ...args, ...preview.commit_with, reason, dry_run: true });
    expect(again).toMatchObject({
      dry_run: true,
      current: preview.current,
      expected_version: preview.expected_version,
    });

    // Rule 2: commit_with and a reason are a commit.
    const first = await tools.call(name, { ...preview.commit_with, reason });
    const result = first.structuredContent;
    expect(result).toMatchObject({
      dry_run: false,
      before: preview.current,
      warnings: expect.any(Array),
      record_id: expect.any(String),
      ...event,
    });
    expect(withoutGenerated(result.after, preview.proposed)).toEqual(preview.proposed);

    // Rule 3: an identical request returns the earlier result, a changed one is rejected.
    const repeated = await tools.call(name, { ...preview.commit_with, reason });
    expect(JSON.stringify(repeated.structuredContent)).toBe(JSON.stringify(result));
    expect(JSON.stringify(repeated.content)).toBe(JSON.stringify(first.content));
    expect(first._meta?.replayed ?? false).toBe(false);
    expect(repeated._meta).toMatchObject({ replayed: true });
    const changed = await tools.refusal(name, { ...preview.commit_with, reason: "Another reason" });
    expect(changed.code).toBe("idempotency_conflict");

    // Rule 4: the record says who made the change, how, why, and what it changed.
    const { items } = await tools.run("list_changes", { tool: name });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ id: result.record_id, tool: name, via: "key", by: "Test Person", reason });
    expect(items[0].changes).not.toEqual([]);
    if (event.event !== undefined) expect(items[0].event).toMatchObject({ id: fixture.eventId });
  });
});

describe.each(["update_organization_profile", "add_event_speaker", "remove_event_segment"])(
  "4.4 mutation contract, rule 2: %s",
  (name) => {
    it("with the reason in the preview, commit_with alone commits", async () => {
      const { args, event } = await example(name);
      const preview = await tools.run(name, { ...args, reason });
      expectPreview(preview, { ...args, reason }, event);
      expect(await tools.run(name, preview.commit_with)).toMatchObject({ dry_run: false, before: preview.current });
    });

    it("a commit without its arguments is refused, and all of them are named", async () => {
      const { args } = await example(name);
      const error = await tools.refusal(name, { ...args, dry_run: false });
      expect(error.code).toBe("confirmation_required");
      for (const missing of commitArguments) expect(error.message).toContain(missing);
    });
  },
);

/** Arguments of a tool that change something of the fixture, and the event that its results name. */
async function example(name: string): Promise<{ args: Fields; event: { event?: Fields } }> {
  const branding = { brand_primary_color: "#123456" };
  const recordId =
    name === "revert_change" ? (await tools.commit("update_organization_branding", branding)).record_id : "";
  const args = toolArguments(name, { ...fixture, recordId });
  const event = { id: fixture.eventId, name: "Test Event", timezone: "Europe/Lisbon" };
  return { args, event: "event_id" in args ? { event } : {} };
}

/** Changes of the arguments between preview and commit. */
const otherArguments: [name: string, difference: string, change: Fields][] = [
  ["update_event_details", "without capacity", { capacity: undefined }],
  ["update_event_details", "with another venue", { venue: "Hall 3" }],
  ["update_event_details", "with a description", { description: "Added" }],
  ["update_organization_profile", "without website_url", { website_url: undefined }],
  ["set_organization_logo_urls", "with a logo_dark_url", { logo_dark_url: null }],
  ["add_event_speaker", "without links", { links: undefined }],
  ["add_event_guest", "with another status", { status: "pending" }],
  ["batch_update_event_registrations", "with another action", { action: "decline" }],
  ["set_event_poster_publication", "with the other state", { published: false }],
  ["create_event_segment", "without location", { location: undefined }],
  ["update_event_segment", "without speaker_ids", { speaker_ids: undefined }],
];

describe("4.4 mutation contract, rule 2: the caller repeats the request", () => {
  it.each(otherArguments)("%s %s is incomplete_commit", async (name, _difference, change) => {
    const preview = await tools.run(name, toolArguments(name, { ...fixture, recordId: "" }));
    const error = await tools.refusal(name, { ...preview.commit_with, ...change, reason });
    expect(error.code).toBe("incomplete_commit");
    await tools.run(name, { ...preview.commit_with, reason });
  });

  it.each(commitArguments)("a commit without %s is refused by name", async (missing) => {
    const { commit_with } = await tools.run("update_event_details", { event_id: fixture.eventId, venue: "Hall 2" });
    const error = await tools.refusal("update_event_details", { ...commit_with, reason, [missing]: undefined });
    expect(error).toMatchObject({ code: "confirmation_required", message: expect.stringContaining(missing) });
  });
});

/** A change by somebody else of what the decision of a tool rests on. */
const changesBetween: [name: string, by: string, args: (given: EventFixture) => Fields][] = [
  ["update_event_details", "update_event_details", ({ eventId }) => ({ event_id: eventId, venue: "Hall 9" })],
  ["update_organization_branding", "update_organization_branding", () => ({ brand_primary_color: "#111111" })],
  [
    "update_event_speaker",
    "update_event_speaker",
    ({ eventId, speakerIds }) => ({ event_id: eventId, speaker_id: speakerIds[1], title: "Pilot" }),
  ],
  [
    "reorder_event_speakers",
    "reorder_event_speakers",
    ({ eventId, speakerIds: [one, two, three] }) => ({ event_id: eventId, speaker_ids: [two, one, three] }),
  ],
  [
    "approve_event_registration",
    "waitlist_event_registration",
    ({ eventId, registrationIds }) => ({ event_id: eventId, registration_id: registrationIds.pending }),
  ],
];

describe("4.4 mutation contract, rule 2: the version that the preview returned", () => {
  it.each(changesBetween)(
    "%s after %s by another is a version_conflict with a new preview",
    async (name, by, other) => {
      const args = toolArguments(name, { ...fixture, recordId: "" });
      const preview = await tools.run(name, args);
      const colleague = toolClient(service, await make.organizationKey(fixture.organizationId));
      await colleague.commit(by, other(fixture));
      const refused = await tools.call(name, { ...preview.commit_with, reason });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "version_conflict" } } });
      const { error: _, ...renewed } = refused.structuredContent;
      expect(renewed.current).not.toEqual(preview.current);
      expect(renewed).toMatchObject({ proposed: expect.any(Object), warnings: expect.any(Array) });
      if ("event_id" in args) expect(renewed.event).toMatchObject({ id: fixture.eventId });
      expect(renewed.expected_version).not.toBe(preview.expected_version);
      expect(renewed.commit_with).toMatchObject({ ...args, dry_run: false, confirm: true });
      expect(renewed.commit_with.expected_version).toBe(renewed.expected_version);
      const result = await tools.run(name, { ...renewed.commit_with, reason });
      expect(result).toMatchObject({ dry_run: false, before: renewed.current });
    },
  );
});

/** A complete preview of the request. */
function expectPreview(preview: Fields, args: Fields, event: { event?: Fields }): void {
  expect(preview).toMatchObject({
    dry_run: true,
    current: expect.any(Object),
    proposed: expect.any(Object),
    warnings: expect.any(Array),
    expected_version: expect.any(String),
    commit_with: { ...args, dry_run: false, confirm: true },
    ...event,
  });
  expect(preview.proposed).not.toEqual(preview.current);
  const { idempotency_key, expected_version } = preview.commit_with as Fields;
  expect(idempotency_key).toEqual(expect.any(String));
  expect(expected_version).toBe(preview.expected_version);
  expect(Object.keys(preview)).not.toContain("changes");
  expect(Object.keys(preview)).not.toContain("repeat_arguments");
  expect("event" in preview).toBe("event" in event);
}

/** Sets ids, timestamps and beginnings of keys that the commit generates to null, as in the preview. */
function withoutGenerated(after: unknown, proposed: unknown): unknown {
  if (Array.isArray(after) && Array.isArray(proposed)) {
    return after.map((item, index) => withoutGenerated(item, proposed[index]));
  }
  if (!isObject(after) || !isObject(proposed)) return after;
  const isGenerated = (name: string) => /^(id|prefix|.*_at)$/.test(name) && proposed[name] === null;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      isGenerated(name) ? null : withoutGenerated(value, proposed[name]),
    ]),
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
