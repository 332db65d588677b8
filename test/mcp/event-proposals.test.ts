import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { maximumProposals } from "../../contract/schema/proposals.js";
import { useEvent, useService } from "../support/setup.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const breakfast = () => ({
  conference_id: fixture.conferenceId,
  name: "Breakfast",
  start_time: "2031-05-02T08:00:00.000Z",
  end_time: "2031-05-02T09:30:00.000Z",
});
const propose = async (more: object = {}): Promise<string> =>
  (await tools.commit("propose_event", { ...breakfast(), ...more })).after.event.id;
const others = () => [
  tools.as({ organizationId: fixture.cohostOrganizationId }),
  tools.as({ organizationId: fixture.otherOrganizationId }),
];

describe("propose_event", () => {
  it("makes a draft in the conference's time zone, which its organization can prepare", async () => {
    const { after, record_id } = await tools.commit("propose_event", breakfast());
    const { id } = after.event;
    expect(after).toMatchObject({
      conference: { id: fixture.conferenceId },
      host: { id: fixture.organizationId, name: "Harbour Works" },
      event: { status: "draft", timezone: "Europe/Lisbon", category: "community", capacity: null, luma_url: null },
    });
    const event_id = { event_id: id };
    await tools.commit("add_event_speaker", { ...event_id, name: "Ada Lovelace" });
    await tools.commit("create_event_segment", { ...event_id, title: "Coffee", duration_minutes: 20 });
    await tools.commit("update_event_details", { ...event_id, venue: "Hall 2" });
    expect(await tools.run("get_event_admin_snapshot", event_id)).toMatchObject({
      event: { status: "draft", venue: "Hall 2" },
      speakers: [{ name: "Ada Lovelace" }],
    });
    expect((await tools.run("list_changes", event_id)).items.at(-1)).toMatchObject({
      id: record_id,
      tool: "propose_event",
      event: { id, name: "Breakfast" },
      revertible: false,
    });
    expect((await tools.run("get_organization_admin_snapshot")).proposals).toMatchObject([
      { event: { id, name: "Breakfast" }, returned_at: null },
    ]);
  });

  it("is seen by nobody else: neither other organizations nor keys of any tier", async () => {
    const event_id = await propose();
    await tools.commit("add_event_cohost", { event_id, organization_id: fixture.cohostOrganizationId });
    for (const other of others()) {
      expect((await other.refusal("get_event_admin_snapshot", { event_id })).code).toBe("not_found");
      expect((await other.run("get_organization_admin_snapshot")).proposals).toBeUndefined();
    }
    const keys = [
      await make.superAdminKey(),
      await make.conferenceKey(fixture.conferenceId),
      await make.organizationKey(fixture.organizationId),
    ];
    for (const key of keys) {
      const { json } = await service.call(`/api/svc/conferences/${fixture.conferenceId}/events`, { key });
      expect(json.items.map(({ id }: { id: string }) => id)).toEqual([fixture.eventId]);
      expect((await service.call(`/api/svc/events/${event_id}/posters`, { key })).status).toBe(404);
    }
    expect((await tools.run("get_organization_admin_snapshot")).events.map(({ id }: { id: string }) => id)).toEqual([
      fixture.eventId,
    ]);
  });

  it("is refused for conferences in which the organization hosts nothing", async () => {
    const conference_id = await make.conference();
    expect((await tools.refusal("propose_event", { ...breakfast(), conference_id })).code).toBe("forbidden");
    const hidden = await make.conference({ status: "draft" });
    await make.event(hidden, { hosts: [fixture.organizationId] });
    for (const unseen of [hidden, randomUUID()]) {
      const refusal = await tools.refusal("propose_event", { ...breakfast(), conference_id: unseen });
      expect(refusal.code).toBe("not_found");
    }
    const { end_time: start_time, start_time: end_time } = breakfast();
    expect((await tools.refusal("propose_event", { ...breakfast(), start_time, end_time })).code).toBe("invalid_input");
  });

  it("cannot be accepted by its organizers", async () => {
    const event_id = await propose();
    const refusal = await tools.refusal("update_event_details", { event_id, status: "published" });
    expect(refusal).toMatchObject({ code: "invalid_input", message: expect.stringContaining("is a proposal") });
  });

  it("is bounded per organization, also when several are proposed at once and when one is taken back", async () => {
    for (let n = 1; n < maximumProposals; n++) await make.proposal(fixture.conferenceId, fixture.organizationId);
    const previews = [await tools.run("propose_event", breakfast()), await tools.run("propose_event", breakfast())];
    const outcomes = await Promise.allSettled([
      ...previews.map(({ commit_with }) => tools.run("propose_event", { ...commit_with, reason: "now" })),
      tools.commit("duplicate_event", { start_time: "2031-06-01T18:00:00Z" }),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refusal = await tools.refusal("propose_event", breakfast());
    expect(refusal).toMatchObject({ code: "conflict", message: expect.stringContaining("has 20 proposals") });
    const [withdrawn] = await db.query<{ event_id: string }>(
      sql`select event_id from event_proposals where organization_id = ${fixture.organizationId} limit 1`,
    );
    const { record_id } = await tools.commit("cancel_event", { event_id: withdrawn?.event_id });
    await propose();
    expect((await tools.refusal("revert_change", { record_id })).message).toContain("has 20 proposals");
  });
});

describe("resubmit_event_proposal", () => {
  it("asks again about a proposal that was returned", async () => {
    const event_id = await make.proposal(fixture.conferenceId, fixture.organizationId, { returned: "Too early" });
    const find = async () => (await tools.run("get_organization_admin_snapshot")).proposals;
    expect(await find()).toMatchObject([{ event: { id: event_id }, return_reason: "Too early" }]);
    await tools.commit("resubmit_event_proposal", { event_id });
    expect(await find()).toMatchObject([{ event: { id: event_id }, returned_at: null, return_reason: null }]);
    expect((await tools.run("resubmit_event_proposal", { event_id })).message).toContain("Nothing to change");
    expect((await tools.refusal("resubmit_event_proposal")).code).toBe("conflict");
  });
});

describe("duplicate_event", () => {
  const start_time = "2031-06-01T10:00:00.000Z";
  const rowsOf = async (table: "speakers" | "segments" | "posters" | "registrations", eventId: string) =>
    (
      await db.query<{ row: Record<string, unknown> }>(
        {
          speakers: sql`select to_jsonb(t) as row from speakers t where event_id = ${eventId} order by position`,
          segments: sql`select to_jsonb(t) || jsonb_build_object('speakers', array(
            select s.name from segment_speakers k join speakers s on s.id = k.speaker_id where k.segment_id = t.id))
            as row from segments t where event_id = ${eventId} order by position`,
          posters: sql`select to_jsonb(t) as row from posters t where event_id = ${eventId} order by sort_order`,
          registrations: sql`select to_jsonb(t) as row from registrations t where event_id = ${eventId}`,
        }[table],
      )
    ).map(({ row }) => row);

  it("copies details, speakers, run of show and poster texts, moved to the new start, and nothing else", async () => {
    const [speaker] = fixture.speakerIds;
    await db.query(sql`
      update events set description = 'Words', capacity = 50, luma_url = 'https://lu.ma/x', venue = 'Hall',
        ticketing_event_id = ${`evt-${randomUUID()}`}, run_of_show_published = true, status = 'published'
      where id = ${fixture.eventId}`);
    await db.query(sql`
      update posters set published = true, posted_urls = '{"x": "https://x.example/1"}',
        metadata = ${JSON.stringify({ caption_ideas: ["Come"], speakers: [{ id: speaker, name: "Speaker 0" }] })}
      where id = ${fixture.posterId}`);
    const { after, preview } = await tools.commit("duplicate_event", { start_time, name: "Again" });
    expect(preview.proposed).toMatchObject({
      speakers: { count: 3, first: ["Speaker 0", "Speaker 1", "Speaker 2"] },
      run_of_show: { count: 3 },
      posters: { count: 1, first: ["Test Poster"] },
    });
    const { id } = after.copy;
    expect(after.copy).toMatchObject({
      name: "Again",
      start_time,
      end_time: "2031-06-01T12:00:00.000Z",
      description: "Words",
      capacity: 50,
      venue: "Hall",
      status: "draft",
      luma_url: null,
    });
    const [stored] = await db.query(
      sql`select ticketing_event_id, run_of_show_published, cancelled_at from events where id = ${id}`,
    );
    expect(stored).toEqual({ ticketing_event_id: null, run_of_show_published: false, cancelled_at: null });
    expect(await rowsOf("registrations", id)).toEqual([]);
    expect((await rowsOf("speakers", id)).map(({ name, position }) => [name, position])).toEqual([
      ...[0, 1, 2].map((n) => [`Speaker ${n}`, n]),
    ]);
    expect(await rowsOf("segments", id)).toMatchObject(
      ["10:00", "10:10", "10:20"].map((clock, n) => ({
        title: `Segment ${n}`,
        start_time: `2031-06-01T${clock}:00+00:00`,
        duration_minutes: 10,
        speakers: n === 0 ? ["Speaker 0"] : [],
      })),
    );
    const [copiedSpeaker] = await rowsOf("speakers", id);
    expect(await rowsOf("posters", id)).toMatchObject([
      {
        title: "Test Poster",
        published: false,
        posted_urls: null,
        metadata: { caption_ideas: ["Come"], speakers: [{ id: copiedSpeaker?.id, name: "Speaker 0" }] },
      },
    ]);
    // A copied picture still shows the old time.
    const workspace = await tools.run("get_event_asset_workspace", { event_id: id });
    expect(workspace.posters).toMatchObject([{ stale: ["name", "time"] }]);
  });

  it("is a draft of the organization that copies, also of an event that it co-hosts, and leaves the event as it is", async () => {
    const cohost = tools.as({ organizationId: fixture.cohostOrganizationId });
    const before = await tools.run("get_event_admin_snapshot");
    const { after } = await cohost.commit("duplicate_event", { start_time });
    expect(after.host).toMatchObject({ id: fixture.cohostOrganizationId });
    expect((await cohost.run("get_event_host_snapshot", { event_id: after.copy.id })).hosts).toHaveLength(1);
    expect((await tools.refusal("get_event_admin_snapshot", { event_id: after.copy.id })).code).toBe("not_found");
    expect(await tools.run("get_event_admin_snapshot")).toEqual(before);
  });

  it("copies what the preview was about: another speaker since then is a conflict", async () => {
    const { commit_with } = await tools.run("duplicate_event", { start_time });
    await tools.commit("add_event_speaker", { name: "Late" });
    const refusal = await tools.refusal("duplicate_event", { ...commit_with, reason: "now" });
    expect(refusal).toMatchObject({ code: "version_conflict", details: { proposed: { speakers: { count: 4 } } } });
  });

  it("moves into another conference in which the organization hosts an event, and no other", async () => {
    const conference_id = await make.conference();
    expect((await tools.refusal("duplicate_event", { start_time, conference_id })).code).toBe("forbidden");
    await make.event(conference_id, { hosts: [fixture.organizationId] });
    expect((await tools.commit("duplicate_event", { start_time, conference_id })).after.conference.id).toBe(
      conference_id,
    );
  });

  it("copies at most 100 posters", async () => {
    await make.posters(
      fixture.eventId,
      Array.from({ length: 105 }, (_, n) => ({ sort_order: n + 1 })),
    );
    const { proposed } = await tools.run("duplicate_event", { start_time });
    expect(proposed.posters).toMatchObject({ count: 100 });
    expect(proposed.posters.first).toHaveLength(20);
  });
});
