import { randomBytes, randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { erasePerson } from "../../src/modules/users/erase-person.js";
import { publicUrl } from "../support/service.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf, createToolRunner, reason } from "../support/tool-runner.js";

const { db, make } = useDatabase();
const { fixture, tools } = useEvent(db);

const speakerNames = async () => {
  const rows = await db.query<{ name: string }>(
    sql`select name from speakers where event_id = ${fixture.eventId} order by position, id`,
  );
  return rows.map(({ name }) => name);
};
const eventRow = async () => {
  const [row] = await db.query<{ venue: string | null; capacity: number | null }>(
    sql`select venue, capacity from events where id = ${fixture.eventId}`,
  );
  return row;
};
const change = async (tool: string, args: object): Promise<string> => (await tools.commit(tool, args)).record_id;
const revert = (record_id: string) => tools.commit("revert_change", { record_id });
const refusal = (record_id: string, as = tools) => as.refusal("revert_change", { record_id });
const asCohost = async (role: OrganizationCaller["role"] = "owner") =>
  tools.as({
    organizationId: fixture.cohostOrganizationId,
    userId: await make.member(fixture.cohostOrganizationId, role),
    role,
  });

describe("what was changed since", () => {
  it("stays if it is another field, and refuses the revert if it is the same", async () => {
    const first = await change("update_event_details", { venue: "Hall 1" });
    await change("update_event_details", { capacity: 10 });
    await revert(first);
    expect(await eventRow()).toEqual({ venue: null, capacity: 10 });

    const second = await change("update_event_details", { venue: "Hall 2", capacity: 20 });
    await change("update_event_details", { venue: "Hall 3" });
    const refused = await refusal(second);
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain("the venue of the event “Test Event” was changed since");
    expect(refused.message).toContain("update_event_details");
    expect(refused.message).toContain("list_changes");
    expect(await eventRow()).toEqual({ venue: "Hall 3", capacity: 20 });
  });

  it("does not matter where it is what the revert would restore", async () => {
    const record = await change("update_event_details", { venue: "Hall 1", capacity: 20 });
    await change("update_event_details", { venue: null });
    const { preview } = await revert(record);
    expect(changesOf(preview)).toEqual([{ path: "event.capacity", from: 20, to: null }]);
    expect(await eventRow()).toEqual({ venue: null, capacity: null });
  });

  it("makes a previewed revert stale", async () => {
    const record = await change("update_organization_branding", { brand_primary_color: "#111111" });
    const preview = await tools.run("revert_change", { record_id: record });
    await change("update_organization_branding", { brand_primary_color: "#222222" });
    const refused = await tools.refusal("revert_change", { ...preview.commit_with, reason });
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain("brand primary color");
  });

  it("decides about a row that was added: it goes only as it was added", async () => {
    const added = await tools.commit("add_event_speaker", { name: "Ada" });
    await change("update_event_speaker", { speaker_id: added.after.speaker.id, bio: "Wrote programs" });
    const refused = await refusal(added.record_id);
    expect(refused.message).toContain("the bio of the speaker “Ada” was changed since");
    expect(refused.message).toContain("remove_event_speaker");
  });

  it("decides about a row that was removed: one that was added again differently stays", async () => {
    const [id] = fixture.speakerIds;
    const record = await change("remove_event_speaker", { speaker_id: id });
    await db.query(sql`
      insert into speakers (id, event_id, name, position) values (${id}, ${fixture.eventId}, 'Somebody else', 0)`);
    const refused = await refusal(record);
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain("the speaker “Somebody else” was added again since");
    expect(await speakerNames()).toContain("Somebody else");
  });

  it("keeps a speaker whom a segment names since", async () => {
    const added = await tools.commit("add_event_speaker", { name: "Ada" });
    const { id } = added.after.speaker;
    const named = await change("update_event_segment", { segment_id: fixture.segmentIds[2], speaker_ids: [id] });
    expect((await refusal(added.record_id)).message).toContain("has segments that name the speaker since");
    await revert(named);
    await revert(added.record_id);
    expect(await speakerNames()).toEqual(["Speaker 0", "Speaker 1", "Speaker 2"]);
  });

  it("does not hinder a row from coming back, in its place", async () => {
    const record = await change("remove_event_speaker", { speaker_id: fixture.speakerIds[1] });
    await change("add_event_speaker", { name: "Ada" });
    await revert(record);
    expect(await speakerNames()).toEqual(["Speaker 0", "Speaker 1", "Speaker 2", "Ada"]);
    const reordered = await change("reorder_event_speakers", {
      speaker_ids: [
        ...fixture.speakerIds.toReversed(),
        (
          await db.query<{ id: string }>(
            sql`select id from speakers where name = 'Ada' and event_id = ${fixture.eventId}`,
          )
        )[0]?.id,
      ],
    });
    const removed = await change("remove_event_speaker", { speaker_id: fixture.speakerIds[1] });
    expect((await refusal(reordered)).message).toContain("speaker");
    await revert(removed);
    await revert(reordered);
    expect(await speakerNames()).toEqual(["Speaker 0", "Speaker 1", "Speaker 2", "Ada"]);
  });

  it("includes the list of a segment's speakers as a whole", async () => {
    const [segment_id] = fixture.segmentIds;
    const [first, second, third] = fixture.speakerIds;
    const record = await change("update_event_segment", { segment_id, speaker_ids: [second] });
    await change("update_event_segment", { segment_id, speaker_ids: [second, third] });
    expect((await refusal(record)).message).toContain("the speakers of the segment were changed since");
    const emptied = await change("update_event_segment", { segment_id, speaker_ids: [] });
    await change("update_event_segment", { segment_id, speaker_ids: [first] });
    expect((await refusal(emptied)).message).toContain("the speakers of the segment were changed since");
  });

  it("includes rows that the restored ones need", async () => {
    const [segment_id] = fixture.segmentIds;
    const record = await change("update_event_segment", { segment_id, speaker_ids: [] });
    await change("remove_event_speaker", { speaker_id: fixture.speakerIds[0] });
    const refused = await refusal(record);
    expect(refused.message).toContain("because the speaker was removed since");
  });

  it("includes the other time of the event", async () => {
    const record = await change("update_event_details", { end_time: "2031-05-01T23:00:00.000Z" });
    await change("update_event_details", { start_time: "2031-05-01T22:00:00.000Z" });
    expect((await refusal(record)).message).toContain("update_event_details with both times");
  });
});

describe("registrations", () => {
  const registration = (status: keyof typeof fixture.registrationIds) => ({
    registration_id: fixture.registrationIds[status],
  });

  it("return to the time of their check-in", async () => {
    await change("set_event_registration_check_in", { ...registration("approved"), checked_in: true });
    const at = () =>
      db.query(sql`select checked_in_at from registrations where id = ${fixture.registrationIds.approved}`);
    const before = await at();
    const record = await change("set_event_registration_check_in", { ...registration("approved"), checked_in: false });
    await revert(record);
    expect(await at()).toEqual(before);
  });

  it("are not taken from a guest who has checked in since", async () => {
    const record = await change("approve_event_registration", registration("pending"));
    await change("set_event_registration_check_in", { ...registration("pending"), checked_in: true });
    const refused = await refusal(record);
    expect(refused.code).toBe("invalid_transition");
    expect(refused.message).toContain("Guest pending checked in since");
    expect(refused.message).toContain("set_event_registration_check_in");
  });

  it("take a seat again only if there is one", async () => {
    const record = await change("decline_event_registration", registration("approved"));
    await change("approve_event_registration", registration("pending"));
    await db.query(sql`update events set capacity = 1 where id = ${fixture.eventId}`);
    expect((await refusal(record)).message).toContain("Over capacity: 1 of 1 seats are taken");
    await db.query(sql`update events set capacity = 2 where id = ${fixture.eventId}`);
    await revert(record);
  });

  it("cannot come back for an address that was registered again", async () => {
    const guest = { name: "Grace", email: "grace@example.com" };
    const added = await change("add_event_guest", guest);
    const removed = await revert(added);
    await change("add_event_guest", { ...guest, email: "GRACE@example.com" });
    expect((await refusal(removed.record_id)).message).toContain("was registered again since");
  });

  it("show the revert in the history of the guest", async () => {
    await revert(await change("approve_event_registration", registration("pending")));
    const { history } = await tools.run("get_event_registration_details", registration("pending"));
    expect(history).toMatchObject([
      { tool: "revert_change", from: "approved", to: "pending" },
      { tool: "approve_event_registration", from: "pending", to: "approved" },
    ]);
  });

  it("of an erased person are not added again", async () => {
    const email = `${randomUUID()}@example.com`;
    const added = await change("add_event_guest", { name: "Grace", email });
    const removed = await revert(added);
    const operator = { via: { kind: "command_line" }, name: "test" } as const;
    await erasePerson(db, operator, email, { previewOnly: false });
    expect((await refusal(removed.record_id)).message).toContain("personal data in it was erased");
    const rows = await db.query(sql`select * from mutation_records where event_id = ${fixture.eventId}`);
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(JSON.stringify(rows)).not.toContain("Grace");
  });
});

describe("a revert", () => {
  it("names what it reverted, is refused twice, and can be reverted", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const reverted = await revert(record);
    expect(reverted.reverts).toMatchObject({ record_id: record, tool: "update_event_details" });
    const twice = await refusal(record);
    expect(twice.message).toContain(`record ${reverted.record_id} has reverted it already`);
    const again = await revert(reverted.record_id);
    expect(again.reverts).toMatchObject({ tool: "revert_change", origin: "update_event_details" });
    expect(await eventRow()).toMatchObject({ venue: "Hall 1" });
    await revert(record);
    expect(await eventRow()).toMatchObject({ venue: null });
  });

  it("is made once, also for two at the same time", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const previews = await Promise.all([1, 2].map(() => tools.run("revert_change", { record_id: record })));
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) => tools.run("revert_change", { ...commit_with, reason })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await eventRow()).toMatchObject({ venue: null });
  });

  it("is repeated with its first result, also after the person has lost the role", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const preview = await tools.run("revert_change", { record_id: record });
    expect(preview.commit_with).toMatchObject({ record_id: record, event_id: fixture.eventId });
    const args = { ...preview.commit_with, reason };
    const first = await tools.run("revert_change", args);
    expect(await tools.run("revert_change", args)).toEqual(first);
    const demoted = tools.as({ role: "member" });
    expect(await demoted.run("revert_change", args)).toEqual(first);
    expect((await refusal(record, demoted)).code).toBe("forbidden");
  });

  it("belongs to the event, and refuses another", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const wrong = await tools.refusal("revert_change", { record_id: record, event_id: randomUUID() });
    expect(wrong).toMatchObject({ code: "invalid_input", message: expect.stringContaining(fixture.eventId) });
    const { record_id } = await revert(record);
    const [row] = await db.query(sql`select tool, event_id, request from mutation_records where id = ${record_id}`);
    expect(row).toMatchObject({ tool: "revert_change", event_id: fixture.eventId, request: { record_id: record } });
  });
});

describe("permissions are those of the reverted tool", () => {
  it("role and scope", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const member = await refusal(record, tools.as({ role: "member" }));
    expect(member).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("the role admin; yours is member"),
    });
    const scoped = await refusal(record, tools.as({ scopes: ["org:read", "registrations:write"] }));
    expect(scoped).toMatchObject({ code: "forbidden", message: expect.stringContaining("the scope events:write") });
    const one = { registration_id: fixture.registrationIds.approved, checked_in: true };
    const checkIn = await change("set_event_registration_check_in", one);
    const door = tools.as({ role: "member", scopes: ["registrations:write"] });
    expect((await door.commit("revert_change", { record_id: checkIn })).dry_run).toBe(false);
    const revertedByMember = await change("update_event_details", { capacity: 3 });
    const { record_id } = await revert(revertedByMember);
    expect((await refusal(record_id, door)).code).toBe("forbidden");
  });

  it("the deployment", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const isDeployed = (tool: string) => tool !== "update_event_details";
    const reduced = createToolRunner(db, { ...fixture }, { isDeployed });
    expect((await refusal(record, reduced)).message).toContain("a deployment that allows it");
    const session = { kind: "session", sessionId: randomUUID() } as const;
    const console = createToolRunner(db, { ...fixture, caller: { ...fixture.caller, via: session } }, { isDeployed });
    expect((await console.run("revert_change", { record_id: record })).dry_run).toBe(true);
  });

  it("hosting: a co-host reverts what it may change, and not who hosts", async () => {
    const cohost = await asCohost("admin");
    const details = await change("update_event_details", { venue: "Hall 1" });
    expect((await cohost.commit("revert_change", { record_id: details })).after.event.venue).toBeNull();
    const { record_id: own } = await cohost.commit("update_event_details", { venue: "Hall 2" });
    expect((await revert(own)).after.event.venue).toBeNull();
    const added = await change("add_event_cohost", { organization_id: fixture.otherOrganizationId });
    expect((await refusal(added, cohost)).message).toContain("Only the host of this event may do this");
    const removed = await change("remove_event_cohost", { organization_id: fixture.otherOrganizationId });
    expect(await refusal(removed, cohost)).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("Only the host of this event may do this"),
    });
    expect((await revert(removed)).dry_run).toBe(false);
    const profile = await change("update_organization_profile", { description: "New" });
    expect((await refusal(profile, cohost)).code).toBe("not_found");
  });

  it("nobody else finds the record, and a former host not the event", async () => {
    const record = await change("update_event_details", { venue: "Hall 1" });
    const stranger = tools.as({
      organizationId: fixture.otherOrganizationId,
      userId: await make.member(fixture.otherOrganizationId),
    });
    expect(await refusal(record, stranger)).toMatchObject({ code: "not_found" });
    expect((await refusal(randomUUID())).message).toContain("list_changes lists them");
    const cohost = await asCohost();
    const { record_id } = await cohost.commit("update_event_details", { capacity: 5 });
    await change("remove_event_cohost", { organization_id: fixture.cohostOrganizationId });
    expect((await refusal(record_id, cohost)).code).toBe("forbidden");
  });
});

it("of a change of guests, also after a revert of it, says that the ticketing platform has a list of its own", async () => {
  await db.query(sql`update events set ticketing_event_id = ${randomUUID()} where id = ${fixture.eventId}`);
  const approval = await change("approve_event_registration", { registration_id: fixture.registrationIds.pending });
  const reverted = await revert(approval);
  const again = await tools.run("revert_change", { record_id: reverted.record_id });
  for (const { note } of [reverted.preview, reverted, again])
    expect(note).toContain("guests on the ticketing platform");
  const venue = await change("update_event_details", { venue: "Hall 1" });
  expect(await tools.run("revert_change", { record_id: venue })).not.toHaveProperty("note");
});

describe("what cannot be reverted", () => {
  it.each([
    ["create_api_key", "revoke it on the page API keys"],
    ["set_event_primary_host", "the host hands the event over"],
    ["remove_member", "invite the person again"],
    ["patch_poster", "PATCH /api/svc/posters/{id}"],
    ["ticketing:coupons/create", "/api/ticketing/"],
    ["svc:import", "ask an operator"],
    ["a_tool_of_another_version", "this version has no such tool"],
    ["update_event_details", "an older version made it"],
  ])("%s says what to do instead", async (tool, advice) => {
    const [row] = await db.query<{ id: string }>(sql`
      insert into mutation_records (tool, organization_id, event_id, via, request, request_hash)
      values (${tool}, ${fixture.organizationId}, ${fixture.eventId}, 'console', '{}', 'x') returning id`);
    const refused = await refusal(row?.id ?? "");
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain(advice);
    expect(refused.message).toContain("Nothing was reverted");
  });

  it("a poster whose image was removed since", async () => {
    const { posterId } = fixture;
    const [image] = [`/images/${"ab".repeat(32)}.png`];
    await db.query(sql`update posters set image_url = ${image} where id = ${posterId}`);
    const [row] = await db.query<{ row: object }>(
      sql`select to_jsonb(p) - 'listed' - 'conference_id' as row from posters p where id = ${posterId}`,
    );
    await db.query(sql`delete from posters where id = ${posterId}`);
    const kept = JSON.stringify([{ table: "posters", before: row?.row, after: null }]);
    const [record] = await db.query<{ id: string }>(sql`
      insert into mutation_records (tool, organization_id, event_id, via, request, request_hash, row_changes)
      values ('set_event_poster_publication', ${fixture.organizationId}, ${fixture.eventId}, 'console', '{}', 'x', ${kept})
      returning id`);
    expect((await refusal(record?.id ?? "")).message).toContain(
      "the image of the poster “Test Poster” was removed since",
    );
  });

  it.each([
    ["set_organization_logo_urls", "logo_url", "logo of the organization", () => ({})],
    ["set_organization_logo_urls", "logo_dark_url", "logo dark of the organization", () => ({})],
    ["update_event_details", "tile_image_url", "tile image of the event", () => ({})],
    ["update_event_speaker", "photo_url", "photo of the speaker", () => ({ speaker_id: fixture.speakerIds[0] })],
    ["remove_event_speaker", "photo_url", "photo of the speaker", () => ({ speaker_id: fixture.speakerIds[0] })],
  ])("%s, after the %s that it took away was removed", async (tool, field, named, ids) => {
    const { hash, url } = await storedImage();
    const setter = tool === "remove_event_speaker" ? "update_event_speaker" : tool;
    await change(setter, { ...ids(), [field]: url });
    const record = await change(tool, tool === setter ? { ...ids(), [field]: null } : ids());
    await db.query(sql`delete from images where hash = ${hash}`);
    const refused = await refusal(record);
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain(`Cannot revert, because the ${named} “`);
    expect(refused.message).toContain("was removed since");
    expect(refused.message).toContain("Nothing was reverted");
  });

  it("a picture that is removed between preview and commit", async () => {
    const { hash, url } = await storedImage();
    await change("update_event_details", { tile_image_url: url });
    const record_id = await change("update_event_details", { tile_image_url: null });
    const preview = await tools.run("revert_change", { record_id });
    await db.query(sql`delete from images where hash = ${hash}`);
    const refused = await tools.refusal("revert_change", { ...preview.commit_with, reason });
    expect(refused.message).toContain("the tile image of the event");
  });

  it("which brings a picture back, keeps it from being removed as unused", async () => {
    const { hash, url } = await storedImage();
    await change("update_event_details", { tile_image_url: url });
    const record_id = await change("update_event_details", { tile_image_url: null });
    await db.query(sql`update images set created_at = now() - interval '1 year' where hash = ${hash}`);
    await revert(record_id);
    const [image] = await db.query<{ is_new: boolean }>(
      sql`select created_at > now() - interval '1 minute' as is_new from images where hash = ${hash}`,
    );
    expect(image).toEqual({ is_new: true });
  });
});

async function storedImage() {
  const hash = randomBytes(32).toString("hex");
  await db.query(sql`insert into images (hash, content_type, bytes) values (${hash}, 'image/webp', 'picture')`);
  return { hash, url: `${publicUrl}/images/${hash}.webp` };
}
