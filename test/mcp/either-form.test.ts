import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { tools } from "../../src/registry.js";
import type { Reply } from "../support/call.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { readResultText } from "../support/read-result-text.js";
import { useService } from "../support/setup.js";
import { legacy, post } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

// Some clients give a model the text of a result, others the structured content: either alone is enough.

const { service, make } = useService(() => startEndpoint(tools));
let fixture: EventFixture;
let key: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  key = await make.organizationKey(fixture.organizationId);
});

type Args = Record<string, unknown>;
type Json = Reply["json"];

async function send(name: string, args: Args): Promise<{ result: Json; bytes: number }> {
  const all = { event_id: fixture.eventId, ...args };
  const { json } = await post(service, key, legacy("tools/call", { name, arguments: all }));
  return { result: json.result, bytes: Buffer.byteLength(JSON.stringify(json)) };
}

const clients: [string, (result: Json) => Json][] = [
  ["structured content", ({ structuredContent }) => structuredContent],
  ["text", ({ content: [{ text }], isError }) => readResultText(text, { isError })],
];

describe.each(clients)("a client that reads only %s", (_form, read) => {
  const call = async (name: string, args: Args = {}) => read((await send(name, args)).result);
  /** As the instructions say: the arguments of commit_with, those named in repeat_arguments, and a reason. */
  const commit = (name: string, args: Args, preview: Json) => {
    const repeated = (preview.repeat_arguments ?? []).map((argument: string) => [argument, args[argument]]);
    return call(name, { ...Object.fromEntries(repeated), ...preview.commit_with, reason: "a test" });
  };

  it("pages through a list", async () => {
    const names: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { items, pagination } = await call("list_event_registrations", { limit: 3, ...(cursor && { cursor }) });
      names.push(...items.map(({ name }: { name: string }) => name));
      if (!pagination.has_more) break;
      cursor = pagination.next_cursor;
    }
    expect(names.sort()).toEqual(["Guest approved", "Guest declined", "Guest pending", "Guest waitlisted"]);
  });

  it("sees what changes, what it is about and what is wrong with it, and commits it", async () => {
    const args = {
      speaker_id: fixture.speakerIds[0],
      photo_url: "http://pictures.example/ada.png",
      bio: "b".repeat(4000),
    };
    const preview = await call("update_event_speaker", args);
    expect(preview).toMatchObject({
      dry_run: true,
      current: { speaker: { id: fixture.speakerIds[0], name: "Speaker 0" } },
      changes: expect.arrayContaining([
        { path: "speaker.photo_url", from: null, to: args.photo_url },
        { path: "speaker.bio", from: null, to: expect.stringMatching(/^b{160}/) },
      ]),
      warnings: [{ code: "unusable_image", path: "speaker.photo_url", message: expect.stringContaining("https") }],
      repeat_arguments: ["bio"],
    });
    const result = await commit("update_event_speaker", args, preview);
    expect(result).toMatchObject({
      dry_run: false,
      record_id: expect.any(String),
      warnings: [{ code: "unusable_image" }],
    });
    const [stored] = await service.db.query(sql`select bio from speakers where id = ${fixture.speakerIds[0]}`);
    expect(stored).toEqual({ bio: args.bio });
  });

  it("continues from a version conflict with the preview that it carries", async () => {
    const args = { venue: "Hall 2" };
    const preview = await call("update_event_details", args);
    await service.db.query(sql`update events set venue = 'Hall 1' where id = ${fixture.eventId}`);
    const { error } = await commit("update_event_details", args, preview);
    expect(error).toMatchObject({
      code: "version_conflict",
      message: expect.stringContaining("new preview"),
      changes: [{ path: "venue", from: "Hall 1", to: "Hall 2" }],
      warnings: [],
    });
    expect(await commit("update_event_details", args, error)).toMatchObject({ after: { venue: "Hall 2" } });
  });

  it("gets ids of what it created", async () => {
    const args = { title: "Doors", duration_minutes: 30, speaker_ids: fixture.speakerIds };
    const preview = await call("create_event_segment", args);
    const { after } = await commit("create_event_segment", args, preview);
    const { segments } = await call("get_event_run_of_show");
    expect(segments.map(({ id }: { id: string }) => id)).toContain(after.segment.id);
  });

  it("sees what a new row has, without its empty fields", async () => {
    const { changes } = await call("add_event_speaker", { name: "Ada Lovelace", company: "Engines" });
    const to = { name: "Ada Lovelace", company: "Engines", role: "speaker" };
    expect(changes).toContainEqual({ path: "speaker", from: null, to });
  });

  it("gets addresses whole, however long they are", async () => {
    const { previews } = await call("generate_event_poster_draft", { template: "headline" });
    expect(previews[0].url).toMatch(/^https:\/\/\S+\.png\?preview=[\w.~-]+$/);
    expect(previews[0].url.length).toBeGreaterThan(240);
    const photo_url = `https://images.example.com/${"a".repeat(400)}.png`;
    const { changes } = await call("update_event_speaker", { speaker_id: fixture.speakerIds[0], photo_url });
    expect(changes).toMatchObject([{ path: "speaker.photo_url", to: photo_url }]);
  });

  it("sees a verdict for each registration of a batch", async () => {
    const { pending, waitlisted, approved } = fixture.registrationIds;
    const args = { action: "approve", registration_ids: [pending, waitlisted, approved] };
    const preview = await call("batch_update_event_registrations", args);
    const verdicts = {
      [pending]: "Guest pending: pending → approved",
      [waitlisted]: "Guest waitlisted: waitlisted → approved",
      [approved]: "Guest approved: approved, unchanged",
    };
    expect(preview.verdicts).toEqual(verdicts);
    expect((await commit("batch_update_event_registrations", args, preview)).verdicts).toEqual(verdicts);
  });
});

describe("no value is repeated", () => {
  it("a preview has a value in `changes`, and in `commit_with` where it is short", async () => {
    const { result } = await send("update_event_details", { venue: "Marker Hall" });
    expect(JSON.stringify(result.structuredContent).match(/Marker Hall/g)).toHaveLength(2);
    expect(result.content[0].text.match(/Marker Hall/g)).toHaveLength(2);
  });

  it.each([
    ["added", null],
    ["replaced", "a".repeat(4000)],
  ])("a biography of 4,000 characters that is %s previews in less than 10 KB", async (_how, before) => {
    const [speaker_id] = fixture.speakerIds;
    await service.db.query(sql`update speakers set bio = ${before} where id = ${speaker_id}`);
    const { bytes } = await send("update_event_speaker", { speaker_id, bio: "b".repeat(4000) });
    expect(bytes).toBeLessThan(10_000);
    const added = await send("add_event_speaker", { name: "Ada", bio: "b".repeat(4000) });
    expect(added.bytes).toBeLessThan(10_000);
  });

  it("a batch of 100 previews and commits in less than 20 KB each", async () => {
    const rows = await service.db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email, status)
      select ${fixture.eventId}, 'Guest ' || n, n || '@batch.example', 'waitlisted' from generate_series(1, 100) n
      returning id`);
    const registration_ids = rows.map(({ id }) => id);
    const name = "batch_update_event_registrations";
    const preview = await send(name, { action: "approve", registration_ids });
    expect(preview.bytes).toBeLessThan(20_000);
    const { commit_with } = preview.result.structuredContent;
    const done = await send(name, { registration_ids, ...commit_with, reason: "a test" });
    expect(done.result.structuredContent.dry_run).toBe(false);
    expect(done.bytes).toBeLessThan(20_000);
  });
});
