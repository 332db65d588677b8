import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { publicUrl } from "../support/service.js";
import { useEvent, useService } from "../support/setup.js";
import { callTool } from "./messages.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const stored = async (id = fixture.eventId) => {
  const [row] = await db.query<Record<string, unknown>>(sql`select * from events where id = ${id}`);
  return row ?? {};
};

const start = "2031-05-01T18:00:00.000Z";
const end = "2031-05-01T20:00:00.000Z";

describe("update_event_details", () => {
  it("changes and shows only the given fields; null clears a field", async () => {
    const fields = {
      name: "Ünïcode “𝕏” 🦜 مرحبا",
      description: "Line 1\nLine 2\tand a tab",
      timezone: "America/Argentina/Buenos_Aires",
      venue: "Hall 2",
      venue_address: "Rua Nova 1, Lisboa",
      category: "vip",
      tier: "headline",
      status: "approved",
      capacity: 250,
      luma_url: "https://lu.ma/x",
      tile_image_url: "https://images.example.com/tile.png",
    };
    const result = await tools.commit("update_event_details", { ...fields });
    expect(result.after).toEqual(fields);
    expect(await stored()).toMatchObject(fields);
    const cleared = { description: null, venue: null, venue_address: null, tier: null, capacity: null };
    const links = { luma_url: null, tile_image_url: null };
    const preview = await tools.run("update_event_details", { ...cleared, ...links });
    expect(preview.current).toEqual(
      Object.fromEntries(Object.entries(fields).filter(([name]) => name in cleared || name in links)),
    );
    await tools.commit("update_event_details", { ...cleared, ...links });
    expect(await stored()).toMatchObject({ ...fields, ...cleared, ...links });
  });

  it("validates start and end together, whichever is sent", async () => {
    const early = await tools.run("update_event_details", { start_time: "2031-05-01T17:00:00+01:00" });
    expect(early.current).toEqual({ start_time: start, end_time: end });
    expect(early.proposed).toEqual({ start_time: "2031-05-01T16:00:00.000Z", end_time: end });
    for (const wrong of [
      { start_time: end },
      { start_time: "2031-05-01T20:00:00.001Z" },
      { end_time: start },
      { end_time: "2031-05-01T19:59:00+02:00" },
      { start_time: "2032-01-02T00:00:00Z", end_time: "2032-01-01T00:00:00Z" },
    ]) {
      const error = await tools.refusal("update_event_details", { ...wrong });
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("end_time: expected") });
    }
    const moved = { start_time: "2032-01-01T00:00:00.000Z", end_time: "2032-01-01T00:00:00.001Z" };
    expect((await tools.commit("update_event_details", moved)).after).toEqual(moved);
    expect(await stored()).toMatchObject({
      start_time: new Date(moved.start_time),
      end_time: new Date(moved.end_time),
    });
  });

  it("a preview of a new start is stale once the end has changed", async () => {
    const preview = await tools.run("update_event_details", { start_time: "2031-05-01T19:00:00Z" });
    await tools.commit("update_event_details", { end_time: "2031-05-01T18:30:00Z" });
    const late = await tools.refusal("update_event_details", { ...preview.commit_with, reason: "for the test" });
    expect(late).toMatchObject({ code: "version_conflict", details: { current: { start_time: start } } });
    const fresh = { ...preview.commit_with, reason: "for the test", expected_version: late.details.expected_version };
    expect((await tools.refusal("update_event_details", fresh)).message).toContain("end_time: expected");
    await tools.commit("update_event_details", { venue: "Hall 3" });
    expect(await stored()).toMatchObject({ venue: "Hall 3", start_time: new Date(start) });
  });

  it("refuses what is not valid", () =>
    expectRefused(tools, "update_event_details", [
      [{}, "Send at least one field to change"],
      [{ name: null }, "name: expected a string"],
      [{ name: "\u3000" }, "name: expected a string that is not blank"],
      [{ name: "A\u0000" }, "name: expected valid Unicode"],
      [{ name: "\udfff" }, "name: expected valid Unicode"],
      [{ name: "x".repeat(201) }, "name: expected at most 200 characters"],
      [{ description: "x".repeat(4001) }, "description: expected at most 4000 characters"],
      [{ description: "half \ud83e" }, "description: expected valid Unicode"],
      [{ venue: "A\nB" }, "venue: expected one line"],
      [{ venue: "" }, "venue: expected a string that is not blank"],
      [{ venue_address: "x".repeat(401) }, "venue_address: expected at most 400 characters"],
      [{ start_time: null }, "start_time: expected a timestamp"],
      [{ start_time: "2031-05-01T18:00:00" }, "start_time: expected an ISO 8601 timestamp with an offset"],
      [{ start_time: "2031-02-30T18:00:00Z" }, "start_time: expected an ISO 8601 timestamp with an offset"],
      [{ start_time: "tomorrow" }, "start_time: expected an ISO 8601 timestamp with an offset"],
      [{ timezone: "Europe/Atlantis" }, "timezone: expected an IANA time zone name"],
      [{ timezone: "+01:00" }, "timezone: expected an IANA time zone name"],
      [{ timezone: "" }, "timezone: expected an IANA time zone name"],
      [{ category: "party" }, "category: expected one of mainline, community, sponsored, vip"],
      [{ category: null }, "category: expected one of"],
      [{ tier: "gold" }, "tier: expected one of headline, vip, community"],
      [{ status: "draft" }, "status: expected one of approved, published"],
      [{ status: "archived" }, "status: expected one of approved, published"],
      [{ capacity: -1 }, "capacity: expected an integer from 0 to 10000000"],
      [{ capacity: 1.5 }, "capacity: expected an integer"],
      [{ capacity: "1e2" }, "capacity: expected an integer"],
      [{ capacity: 10_000_001 }, "capacity: expected an integer"],
      [{ luma_url: "lu.ma/x" }, "luma_url: expected an absolute http or https URL"],
      [{ tile_image_url: `/images/${"a".repeat(64)}.png` }, "tile_image_url: expected an absolute http or https URL"],
      [{ ticketing_event_id: "evt-1" }, "ticketing_event_id: unknown field"],
      [{ conference_id: randomUUID() }, "conference_id: unknown field"],
      [{ listed: true }, "listed: unknown field"],
    ]));

  it("keeps the stored path of a tile image whose URL is sent back", async () => {
    const path = `/images/${"b".repeat(64)}.png`;
    await db.query(sql`update events set tile_image_url = ${path} where id = ${fixture.eventId}`);
    const sentBack = { tile_image_url: `${publicUrl}${path}`, venue: "Hall 2" };
    expect((await tools.commit("update_event_details", { ...sentBack })).after).toEqual(sentBack);
    expect(await stored()).toMatchObject({ tile_image_url: path, venue: "Hall 2" });
  });

  it("updates the denormalized columns of lists, so that REST reflects it immediately", async () => {
    const [{ conference_id }] = [(await stored()) as { conference_id: string }];
    const later = await make.event(conference_id, {
      hosts: [fixture.organizationId],
      start_time: "2031-05-02T18:00:00Z",
    });
    const key = await make.organizationKey(fixture.organizationId);
    const listed = async (query = "") => {
      const { json } = await service.call(`/api/svc/conferences/${conference_id}/events${query}`, { key });
      return json.items.map(({ id }: { id: string }) => id);
    };
    expect(await listed()).toEqual([fixture.eventId, later]);
    const moved = { start_time: "2031-05-03T18:00:00Z", end_time: "2031-05-03T19:00:00Z", category: "community" };
    await tools.commit("update_event_details", { ...moved });
    expect(await listed()).toEqual([later, fixture.eventId]);
    expect(await listed("?category=community")).toEqual([fixture.eventId]);
    const copies = await db.query(sql`
      select distinct h.start_time = e.start_time and h.category = e.category and h.listed as equal
      from event_hosts h join events e on e.id = h.event_id where e.id = ${fixture.eventId}`);
    expect(copies).toEqual([{ equal: true }]);
    await tools.commit("update_event_details", { status: "approved" });
    expect(await listed()).toEqual([later, fixture.eventId]);
    const posters = await service.call(`/api/svc/events/${fixture.eventId}/posters`, { key });
    expect(posters.json.items).toHaveLength(1);
  });
});

describe("get_event_admin_snapshot", () => {
  it("shows an event with the ids that other tools take", async () => {
    await db.query(sql`
      update posters set posted_urls = '{"x": "https://x.test/1", "b": "https://b.test/1"}' where id = ${fixture.posterId}`);
    const snapshot = await tools.run("get_event_admin_snapshot");
    expect(snapshot.event).toMatchObject({ id: fixture.eventId, start_time: start, conference: "Test Conference" });
    expect(snapshot.hosts.map(({ organization_id, role }: Record<string, string>) => [organization_id, role])).toEqual([
      [fixture.organizationId, "host"],
      [fixture.cohostOrganizationId, "co_host"],
    ]);
    expect(snapshot.speakers.map(({ id }: { id: string }) => id)).toEqual(fixture.speakerIds);
    expect(snapshot.posters).toMatchObject([{ id: fixture.posterId, published: false, posted_to: ["b", "x"] }]);
    expect(snapshot.run_of_show.segments.map(({ id }: { id: string }) => id)).toEqual(fixture.segmentIds);
    expect(snapshot.registration_counts).toEqual({
      pending: 1,
      approved: 1,
      waitlisted: 1,
      declined: 1,
      checked_in: 0,
    });
    expect(snapshot).not.toHaveProperty("left_out");
  });

  it("is bounded for a large event, and counts what it omits", async () => {
    const long = "名".repeat(200);
    await db.query(sql`
      insert into speakers (event_id, name, title, company, position)
      select ${fixture.eventId}, ${long}, ${long}, ${long}, n from generate_series(3, 149) n`);
    await db.query(sql`
      insert into segments (event_id, title, location, start_time, duration_minutes, position)
      select ${fixture.eventId}, ${long}, ${long}, '2031-05-02T00:00Z'::timestamptz + n * interval '1 minute', 1, n
      from generate_series(3, 499) n`);
    const urls = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n}${"p".repeat(60)}`, `https://x.test/${"u".repeat(2000)}`]),
    );
    await db.query(sql`
      insert into posters (event_id, image_url, title, posted_urls)
      select ${fixture.eventId}, ${`https://x.test/${"i".repeat(2000)}`}, ${long}, ${JSON.stringify(urls)}::jsonb
      from generate_series(1, 39)`);
    await db.query(sql`
      with added as (
        insert into organizations (name, slug) select ${long}, gen_random_uuid()::text from generate_series(1, 98)
        returning id)
      insert into event_hosts (event_id, organization_id, role, position) select ${fixture.eventId}, id, 'co_host', 9 from added`);
    await db.query(sql`update events set description = ${"說".repeat(20_000)} where id = ${fixture.eventId}`);
    const snapshot = await tools.run("get_event_admin_snapshot");
    expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThan(90_000);
    expect(snapshot.hosts[0]).toMatchObject({ organization_id: fixture.organizationId, role: "host" });
    expect(snapshot.left_out).toEqual({
      hosts: 100 - snapshot.hosts.length,
      speakers: 150 - snapshot.speakers.length,
      posters: 40 - snapshot.posters.length,
      segments: 500 - snapshot.run_of_show.segments.length,
    });
    expect(Math.min(...Object.values(snapshot.left_out as Record<string, number>))).toBeGreaterThan(0);
    expect(snapshot.posters.length).toBeGreaterThan(1);
  });
});

describe("events that are not the caller's", () => {
  // The runner checks the event for every tool: these stand for all.
  const calls: [string, Record<string, unknown>][] = [
    ["get_event_run_of_show", {}],
    ["update_event_details", { venue: "Hall 9" }],
    ["set_event_primary_host", { organization_id: randomUUID() }],
  ];

  it.each(calls)("%s: forbidden if others host it, not found if it is hidden", async (name, args) => {
    const other = await createEventFixture(db);
    const conference = await make.conference();
    const hosts = [fixture.organizationId];
    const hidden = [
      await make.event(conference, { hosts, status: "draft" }),
      await make.event(conference, { hosts, status: "archived" }),
      await make.event(await make.conference({ status: "archived" }), { hosts }),
      randomUUID(),
    ];
    const before = await stored(other.eventId);
    expect(await tools.refusal(name, { event_id: other.eventId, ...args })).toMatchObject({
      code: "forbidden",
      message:
        "Your organization neither hosts nor co-hosts this event: get_organization_admin_snapshot, or list_event_registrations without event_id, lists the events of your organization with their ids",
    });
    for (const id of hidden) {
      const error = await tools.refusal(name, { event_id: id, ...args });
      expect(error).toMatchObject({
        code: "not_found",
        message: expect.stringMatching(/^Event not found: get_organization_admin_snapshot, or /),
      });
    }
    expect(await stored(other.eventId)).toEqual(before);
  });

  it("a commit is refused if the organization no longer co-hosts the event", async () => {
    const key = await make.organizationKey(fixture.cohostOrganizationId, { role: "admin" });
    const { result } = await callTool(service, key, "update_event_details", {
      event_id: fixture.eventId,
      venue: "Hall 9",
    });
    const args = { ...result.structuredContent.commit_with, reason: "for the test" };
    await tools.commit("remove_event_cohost", { organization_id: fixture.cohostOrganizationId });
    await make.event(await make.conference(), { hosts: [fixture.cohostOrganizationId] });
    const refused = await callTool(service, key, "update_event_details", args);
    expect(refused.result).toMatchObject({ isError: true, structuredContent: { error: { code: "forbidden" } } });
    expect((await stored()).venue).toBeNull();
  });
});
