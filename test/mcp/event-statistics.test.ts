import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { useEvent, useService } from "../support/setup.js";
import { callTool } from "./messages.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const register = (eventId: string, at: string, fields: { ticket?: string; source?: string; count?: number } = {}) =>
  db.query(sql`
    insert into registrations (event_id, name, email, status, ticket_type, source, registered_at)
    select ${eventId}, 'Guest', gen_random_uuid() || '@example.com', 'pending', ${fields.ticket ?? null}, ${fields.source ?? null}, ${at}
    from generate_series(1, ${fields.count ?? 1}::int)`);
const removeGuests = () => db.query(sql`delete from registrations where event_id = ${fixture.eventId}`);
const read = (args: object = {}) => tools.run("get_event_statistics", args);
const ofConference = () => ({ event_id: undefined, conference_id: fixture.conferenceId });

describe("get_event_statistics", () => {
  it("counts registrations per day of the event's clocks, by ticket and by source", async () => {
    await removeGuests();
    await db.query(sql`update events set timezone = 'Pacific/Auckland' where id = ${fixture.eventId}`);
    // Noon UTC of 1 March is the next day in Auckland.
    await register(fixture.eventId, "2031-03-01T10:00:00Z", { ticket: "VIP", source: "luma", count: 2 });
    await register(fixture.eventId, "2031-03-01T12:00:00Z", { ticket: " VIP ", count: 3 });
    await register(fixture.eventId, "2031-03-05T00:00:00Z", { source: "luma" });
    const { registrations, timezone } = await read();
    expect(timezone).toBe("Pacific/Auckland");
    expect(registrations).toEqual({
      total: 6,
      days: [
        { day: "2031-03-01", count: 2 },
        { day: "2031-03-02", count: 3 },
        { day: "2031-03-05", count: 1 },
      ],
      earlier: 0,
      by_ticket: {
        items: [
          { value: "VIP", count: 5 },
          { value: null, count: 1 },
        ],
        other: 0,
      },
      by_source: {
        items: [
          { value: "luma", count: 3 },
          { value: null, count: 3 },
        ],
        other: 0,
      },
    });
  });

  it("lists the last 120 days and the 8 largest groups, and sums up the rest", async () => {
    await removeGuests();
    await db.query(sql`
      insert into registrations (event_id, name, email, ticket_type, source, registered_at)
      select ${fixture.eventId}, 'Guest', n || '@example.com', 'Ticket ' || n % 20, 'Source ' || n,
        '2030-01-01T12:00:00Z'::timestamptz + n * interval '1 day' from generate_series(0, 199) n`);
    const { registrations } = await read();
    expect(registrations.days).toHaveLength(120);
    expect(registrations.days.at(-1)).toEqual({ day: "2030-07-19", count: 1 });
    expect(registrations).toMatchObject({
      total: 200,
      earlier: 80,
      by_ticket: { other: 120 },
      by_source: { other: 192 },
    });
    expect(registrations.by_ticket.items).toHaveLength(8);
  });

  it("counts who came of those who were approved, for events that have started", async () => {
    expect((await read()).show_up).toEqual({ events: 0, approved: 0, checked_in: 0, rate: null });
    await db.query(sql`update events set start_time = now() - interval '1 hour' where id = ${fixture.eventId}`);
    await db.query(sql`
      insert into registrations (event_id, name, email, status, checked_in_at)
      select ${fixture.eventId}, 'Guest', n || '@example.com', 'approved', case when n > 0 then now() end
      from generate_series(0, 2) n`);
    expect(await read()).toMatchObject({
      guests: { pending: 1, approved: 4, waitlisted: 1, declined: 1, checked_in: 2 },
      show_up: { events: 1, approved: 4, checked_in: 2, rate: 0.5 },
    });
  });

  it("counts posted links per network, whatever its spelling", async () => {
    const [other] = await make.posters(fixture.eventId, [{}]);
    const post = (id: string | undefined, urls: object) =>
      db.query(sql`update posters set posted_urls = ${JSON.stringify(urls)} where id = ${id}`);
    await post(fixture.posterId, { x: "https://x.example/1", bluesky: "https://b.example/1" });
    await post(other, { X: "https://x.example/2" });
    expect((await read()).posted_links).toEqual({
      total: 3,
      by_network: {
        items: [
          { value: expect.stringMatching(/^x$/i), count: 2 },
          { value: "bluesky", count: 1 },
        ],
        other: 0,
      },
    });
  });

  it("counts all events of a conference that the organization hosts or co-hosts, and no others", async () => {
    await removeGuests();
    const { conferenceId, organizationId, otherOrganizationId, cohostOrganizationId, eventId } = fixture;
    const second = await make.event(conferenceId, { hosts: [otherOrganizationId, organizationId] });
    const foreign = await make.event(conferenceId, { hosts: [otherOrganizationId] });
    const hidden = await make.event(conferenceId, { hosts: [organizationId], status: "draft" });
    for (const id of [eventId, second, foreign, hidden]) await register(id, "2031-03-01T10:00:00Z");
    expect(await read(ofConference())).toMatchObject({
      conference: { id: conferenceId },
      events: 2,
      registrations: { total: 2, days: [{ day: "2031-03-01", count: 2 }] },
    });
    const others = tools.as({ organizationId: otherOrganizationId });
    expect((await others.run("get_event_statistics", ofConference())).events).toBe(2);
    expect((await others.refusal("get_event_statistics")).code).toBe("forbidden");
    const cohost = tools.as({ organizationId: cohostOrganizationId });
    expect((await cohost.run("get_event_statistics")).events).toBe(1);
    const conference_id = await make.conference();
    expect((await tools.refusal("get_event_statistics", { ...ofConference(), conference_id })).code).toBe("forbidden");
  });

  it("needs one of event and conference, and names no guests", async () => {
    for (const args of [{ event_id: undefined }, { conference_id: fixture.conferenceId }]) {
      expect((await tools.refusal("get_event_statistics", args)).code).toBe("invalid_input");
    }
    const key = await make.organizationKey(fixture.organizationId, { role: "member", scopes: ["org:read"] });
    const { result } = await callTool(service, key, "get_event_statistics", { event_id: fixture.eventId });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result)).not.toMatch(/Guest (pending|approved)|@example/);
  });
});
