import type { JsonSchemaValidator } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { tools } from "../../src/registry.js";
import type { Reply } from "../support/call.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { readResultText } from "../support/read-result-text.js";
import { useService } from "../support/setup.js";
import { createToolRunner } from "../support/tool-runner.js";
import { legacy, post } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

// Some clients give a model the text of a result, others the structured content: either alone is enough. That the text of
// every tool has it all is in test/tools/mutation-contract.test.ts.

const { service, make } = useService(() => startEndpoint(tools));
let fixture: EventFixture;
let key: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  key = await make.organizationKey(fixture.organizationId);
});

type Args = Record<string, unknown>;
type Json = Reply["json"];

const prepared = prepareTools(tools, ["*"]).tools;

const validators = new Map<string, JsonSchemaValidator<unknown>>();

/** Every result, errors too, is valid by the output schema of its tool. */
function isValid(name: string, structured: Json): boolean {
  const { outputSchema } = JSON.parse(prepared.find(({ tool }) => tool.name === name)?.wire ?? "{}");
  const validate = validators.get(name) ?? new AjvJsonSchemaValidator().getValidator(outputSchema);
  validators.set(name, validate);
  return validate(structured).valid;
}

async function send(name: string, args: Args): Promise<{ result: Json }> {
  const all = { event_id: fixture.eventId, ...args };
  const { json } = await post(service, key, legacy("tools/call", { name, arguments: all }));
  expect(isValid(name, json.result.structuredContent)).toBe(true);
  return { result: json.result };
}

const textIn = ({ content: [{ text }], isError }: Json) => readResultText(text, { isError });

describe("a client that reads only text", () => {
  const call = async (name: string, args: Args = {}) => textIn((await send(name, args)).result);
  /** As the instructions say: exactly the arguments of commit_with, and a reason. */
  const commit = (name: string, preview: Json) => call(name, { ...preview.commit_with, reason: "a test" });

  it("commits what it has previewed, and continues from a version conflict with the preview beside it", async () => {
    const preview = await call("update_event_details", { venue: "Hall 2" });
    expect(preview).toMatchObject({ dry_run: true, event: { name: "Test Event", timezone: "Europe/Lisbon" } });
    await service.db.query(sql`update events set venue = 'Hall 1' where id = ${fixture.eventId}`);
    const conflict = await commit("update_event_details", preview);
    expect(conflict.error).toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("new preview"),
    });
    expect(await commit("update_event_details", conflict)).toMatchObject({
      dry_run: false,
      record_id: expect.any(String),
    });
    const [stored] = await service.db.query(sql`select venue from events where id = ${fixture.eventId}`);
    expect(stored).toEqual({ venue: "Hall 2" });
  });

  it("gets addresses of images whole", async () => {
    const { previews } = await call("generate_event_poster_draft", { template: "headline" });
    expect(previews[0].url).toMatch(/^https:\/\/\S+\.png\?preview=[\w.~-]+$/);
    expect(previews[0].url.length).toBeGreaterThan(240);
  });
});

describe("the text of a change", () => {
  const textOf = async (name: string, args: Args) => (await send(name, args)).result.content[0].text as string;
  const changesIn = async (name: string, args: Args) => readResultText(await textOf(name, args)).changes;

  it("names the event and its zone, and has a line for each change, from before to", async () => {
    const lines = (await textOf("update_event_details", { venue: "Hall 2", capacity: 250 })).split("\n");
    expect(lines.slice(2, -1)).toEqual([
      "event:",
      `  id: ${fixture.eventId}`,
      "  name: Test Event",
      "  timezone: Europe/Lisbon",
      "changes (2): what | to",
      "  capacity | 250",
      "  venue | Hall 2",
      "warnings: []",
    ]);
    await service.db.query(sql`update events set venue = 'Hall 1' where id = ${fixture.eventId}`);
    expect(await textOf("update_event_details", { venue: "Hall 2" })).toContain(
      "changes (1): what | from | to\n  venue | Hall 1 | Hall 2\n",
    );
  });

  it("has both times of an event that moves to another zone as its guests read them there", async () => {
    const args = { timezone: "Asia/Tokyo", start_time: "2031-05-01T10:00:00Z", end_time: "2031-05-01T12:00:00Z" };
    expect(await changesIn("update_event_details", args)).toEqual([
      { what: "end_time", from: "2031-05-01T21:00+01:00", to: "2031-05-01T21:00+09:00" },
      { what: "start_time", from: "2031-05-01T19:00+01:00", to: "2031-05-01T19:00+09:00" },
      { what: "timezone", from: "Europe/Lisbon", to: "Asia/Tokyo" },
    ]);
  });

  it("has names in the place of ids, and times with the event's offset", async () => {
    const [segment_id] = fixture.segmentIds;
    const [, second] = fixture.speakerIds;
    const args = { segment_id, start_time: "2031-05-01T20:00:00+02:00", duration_minutes: 15 };
    expect(await changesIn("update_event_segment", { ...args, start_time: "2031-05-01T19:30:00Z" })).toEqual([
      { what: "segments[Segment 0].duration_minutes", from: 10, to: 15 },
      { what: "segments[Segment 0].start_time", from: "2031-05-01T19:00+01:00", to: "2031-05-01T20:30+01:00" },
    ]);
    expect(await changesIn("add_event_speaker", { name: "Ada Lovelace", company: "Engines", position: 2 })).toEqual([
      { what: "speaker", to: { name: "Ada Lovelace", company: "Engines", role: "speaker" } },
      { what: "speakers[new]", to: "Ada Lovelace, 2 of 4" },
    ]);
    expect(await changesIn("remove_event_speaker", { speaker_id: second })).toContainEqual({
      what: "speakers[Speaker 1]",
      from: "Speaker 1, 2 of 3",
    });
    const speaker_ids = fixture.speakerIds.toReversed();
    expect(await changesIn("reorder_event_speakers", { speaker_ids })).toEqual([
      { what: "speakers", from: ["Speaker 0", "Speaker 1", "Speaker 2"], to: ["Speaker 2", "Speaker 1", "Speaker 0"] },
    ]);
  });

  it("shows of a long text what changes, with some of what is around it", async () => {
    const [before, after] = ["Before it. ".repeat(60), "After it. ".repeat(60)];
    await service.db.query(sql`
      update events set description = ${`${before}Old words.${after}`} where id = ${fixture.eventId}`);
    const [change] = await changesIn("update_event_details", {
      description: `${before}${"New words. ".repeat(60)}${after}`,
    });
    expect(change.from).toMatch(/^….{10,60}Old words\..{10,60}…$/);
    expect(change.to).toContain("New words. ".repeat(59));
    expect(change.to.length).toBeLessThan(800);
  });

  it("never cuts a sentence of the service", async () => {
    const { result } = await send("set_event_primary_host", { organization_id: fixture.otherOrganizationId });
    const { effect, warnings } = result.structuredContent;
    expect(effect.length).toBeGreaterThan(160);
    expect(readResultText(result.content[0].text)).toMatchObject({ effect, warnings });
  });
});

describe("times in results", () => {
  it("carry the event's offset in both forms, and are accepted so; arguments stay as they were given", async () => {
    const same = await send("update_event_details", { start_time: "2031-05-01T20:00+02:00" });
    const { current, proposed, commit_with } = same.result.structuredContent;
    expect([current.start_time, proposed.start_time]).toEqual(["2031-05-01T19:00+01:00", "2031-05-01T19:00+01:00"]);
    expect(commit_with.start_time).toBe("2031-05-01T20:00+02:00");
    const { result } = await send("update_event_details", { start_time: "2031-05-01T18:30+01:00" });
    expect(JSON.stringify(result)).not.toMatch(/\dZ\b/);
    const done = await send("update_event_details", { ...result.structuredContent.commit_with, reason: "a" });
    expect(done.result.structuredContent.after.start_time).toBe("2031-05-01T18:30+01:00");
    expect(JSON.stringify(done.result)).not.toMatch(/\dZ\b/);
  });

  it.each(["list_event_registrations", "get_event_run_of_show", "list_changes"])("%s has none in UTC", async (name) => {
    await createToolRunner(service.db, fixture).commit("update_event_details", { start_time: "2031-05-01T18:30Z" });
    const { result } = await send(name, name.includes("event") ? {} : { event_id: undefined });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result)).toMatch(/T\d\d:\d\d(:[\d.]+)?\+0[01]:00/);
    expect(JSON.stringify(result)).not.toMatch(/\dZ\b/);
  });
});

it("a change of guests of an event that is linked to the ticketing platform says that these are two lists", async () => {
  const noteOf = async (name: string, args: Args) => (await send(name, args)).result.structuredContent.note;
  const { pending, approved, declined } = fixture.registrationIds;
  const calls: [string, Args][] = [
    ["add_event_guest", { name: "Grace Hopper", email: "grace@example.com" }],
    ["approve_event_registration", { registration_id: pending }],
    ["decline_event_registration", { registration_id: pending }],
    ["waitlist_event_registration", { registration_id: pending }],
    ["restore_event_registration", { registration_id: declined }],
    ["set_event_registration_check_in", { registration_id: approved, checked_in: true }],
    ["batch_update_event_registrations", { action: "approve", registration_ids: [pending] }],
  ];
  for (const [name, args] of calls) expect(await noteOf(name, args)).toBeUndefined();
  await service.db.query(sql`update events set ticketing_event_id = 'evt-1' where id = ${fixture.eventId}`);
  for (const [name, args] of calls) expect(await noteOf(name, args)).toMatch(/ticketing platform.*Nobody is notified/);
});
