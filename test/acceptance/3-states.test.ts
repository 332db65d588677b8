import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resetRoster } from "../mcp/reset-roster.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";
import { type ToolClient, toolClient } from "./tool-client.js";

// Section 3 of the specification: states, and the transitions that it leaves open.

const unlimited = { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000 };
const { service, db, make } = useService(() => startService({ limits: unlimited }));
const storedStatuses = ["draft", "approved", "published", "archived"];

let fixture: EventFixture;
let key: string;
let tools: ToolClient;
/** One of each stored status, with an event that the organization hosts; and the same number of events in the first. */
let conferences: string[];
let events: string[];

beforeAll(async () => {
  fixture = await createEventFixture(db);
  const { organizationId, caller } = fixture;
  key = await make.organizationKey(organizationId, { userId: caller.userId });
  tools = toolClient(service, key);
  const hosts = [organizationId];
  conferences = await Promise.all(storedStatuses.map((status) => make.conference({ status })));
  for (const conference of conferences) await make.event(conference, { hosts });
  events = await Promise.all(storedStatuses.map((status) => make.event(conferences[2] ?? "", { status, hosts })));
});

const get = async (path: string, who = key) => (await service.call(`/api/svc/${path}`, { key: who })).json;
const list = async (path: string, who?: string): Promise<Record<string, unknown>[]> => (await get(path, who)).items;

/** For each resource, what the service shows of rows in every state that can be stored. */
const shown: Record<string, () => Promise<Record<string, unknown>[]>> = {
  Conference: () => list("conferences"),
  Event: () => list(`conferences/${conferences[2]}/events`),
  Poster: async () => {
    for (const published of [true, false]) await make.poster(fixture.eventId, { published });
    return list(`events/${fixture.eventId}/posters`);
  },
};

describe("3: state-carrying fields", () => {
  it.each(
    specTable(`
      | Resource | Field | Allowed values |
      |---|---|---|
      | Conference | status | approved, published |
      | Event | status | approved, published |
      | Poster | published | true, false |`),
  )("%s.%s: %s", async (resource, field, allowed) => {
    const items = (await shown[resource]?.()) ?? [];
    const values = new Set(items.map((item) => String(item[field])));
    expect(values).toEqual(new Set(allowed.split(", ")));
  });
});

describe("3: listings return only items in approved or published status", () => {
  const keyOf: Record<string, () => Promise<string>> = {
    "super-admin": () => make.superAdminKey(),
    conference: () => make.conferenceKey(conferences[2] ?? ""),
    organization: async () => key,
  };

  it("Conference listing", async () => {
    const ids = (await list("conferences?limit=200")).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(conferences.slice(1, 3)));
    expect(ids).not.toContain(conferences[0]);
    expect(ids).not.toContain(conferences[3]);
  });

  it.each(Object.keys(keyOf))("Event listing, with a key of the tier %s", async (tier) => {
    const ids = (await list(`conferences/${conferences[2]}/events`, await keyOf[tier]?.())).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(events.slice(1, 3)));
    expect(ids).not.toContain(events[0]);
    expect(ids).not.toContain(events[3]);
  });

  it.each(["draft", "archived"])("events and posters of a conference that is %s are unknown", async (status) => {
    const conference = await make.conference({ status });
    const event = await make.event(conference);
    const poster = await make.poster(event);
    const who = await make.superAdminKey();
    expect(await get(`conferences/${conference}/events`, who)).toMatchObject({ error: "Conference not found" });
    expect(await get(`events/${event}/posters`, who)).toMatchObject({ error: "Event not found" });
    expect(await get(`posters/${poster}`, who)).toMatchObject({ error: "Poster not found" });
  });
});

describe("3: transitions of events, posters and runs of show", () => {
  const statusOf = async () =>
    (await tools.run("get_event_admin_snapshot", { event_id: fixture.eventId })).event.status;

  it("an event moves between approved and published by update_event_details", async () => {
    for (const status of ["approved", "published"]) {
      await tools.commit("update_event_details", { event_id: fixture.eventId, status });
      expect(await statusOf()).toBe(status);
    }
  });

  it.each(["draft", "archived"])("update_event_details refuses the status %s", async (status) => {
    const error = await tools.refusal("update_event_details", { event_id: fixture.eventId, status });
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("status") });
  });

  it("a poster is published and unpublished by set_event_poster_publication", async () => {
    const poster_id = await make.poster(fixture.eventId, { published: false });
    for (const published of [true, false]) {
      await tools.commit("set_event_poster_publication", { event_id: fixture.eventId, poster_id, published });
      expect(await get(`posters/${poster_id}`)).toMatchObject({ published });
    }
  });

  it("a run of show is published and unpublished by set_event_run_of_show_publication", async () => {
    for (const published of [true, false]) {
      await tools.commit("set_event_run_of_show_publication", { event_id: fixture.eventId, published });
      expect(await tools.run("get_event_run_of_show", { event_id: fixture.eventId })).toMatchObject({ published });
    }
  });
});

describe("3: states of guest registrations", () => {
  type Status = keyof EventFixture["registrationIds"];
  let ids: EventFixture["registrationIds"];
  beforeEach(async () => {
    ids = await resetRoster(db, fixture.eventId);
  });

  const about = (registration_id: string, more = {}) => ({ event_id: fixture.eventId, registration_id, ...more });
  const details = (id: string) => tools.run("get_event_registration_details", about(id));
  const checkIn = (id: string, checked_in: boolean) =>
    tools.commit("set_event_registration_check_in", about(id, { checked_in }));

  const moves = specTable(`
    | Move | From | To |
    |---|---|---|
    | approve | pending | approved |
    | approve | waitlisted | approved |
    | decline | pending | declined |
    | decline | waitlisted | declined |
    | decline | approved | declined |
    | waitlist | pending | waitlisted |
    | waitlist | approved | waitlisted |
    | restore | declined | the state before it |`);

  it.each(moves)("%s: from %s to %s", async (move, from, to) => {
    const id = ids[from as Status];
    await tools.commit(`${move}_event_registration`, about(id));
    expect((await details(id)).registration.status).toBe(move === "restore" ? "approved" : to);
  });

  it.each(
    specTable(`
      | Move | From |
      |---|---|
      | approve | declined |
      | waitlist | declined |
      | restore | pending |
      | restore | approved |
      | restore | waitlisted |`),
  )("%s: refused from %s, with the state and the open moves", async (move, from) => {
    const id = ids[from as Status];
    const error = await tools.refusal(`${move}_event_registration`, about(id));
    expect(error).toMatchObject({ code: "invalid_transition", message: expect.stringContaining(from) });
    const { open_moves, registration } = await details(id);
    expect(error.open_moves).toEqual(open_moves);
    expect(registration.status).toBe(from);
  });

  it.each(
    specTable(`
      | Move | State |
      |---|---|
      | approve | approved |
      | decline | declined |
      | waitlist | waitlisted |`),
  )("%s: asking for the state %s when it has it is not an error, changes nothing and says so", async (move, state) => {
    const id = ids[state as Status];
    const result = await tools.call(`${move}_event_registration`, about(id));
    expect(result.isError ?? false).toBe(false);
    expect(result.content[0].text).toContain("Nothing to change");
    expect((await details(id)).registration.status).toBe(state);
  });

  it.each(["pending", "waitlisted", "declined"] as const)("check in: refused for a guest who is %s", async (status) => {
    const error = await tools.refusal("set_event_registration_check_in", about(ids[status], { checked_in: true }));
    expect(error.code).toBe("invalid_transition");
  });

  it("check in: sets checked_in_at of an approved guest, and can be undone", async () => {
    await checkIn(ids.approved, true);
    expect((await details(ids.approved)).registration.checked_in_at).toEqual(expect.any(String));
    await checkIn(ids.approved, false);
    expect((await details(ids.approved)).registration.checked_in_at).toBeNull();
  });

  it.each(["decline", "waitlist"])("%s: a checked-in guest must be checked out first", async (move) => {
    await checkIn(ids.approved, true);
    const error = await tools.refusal(`${move}_event_registration`, about(ids.approved));
    expect(error.code).toBe("invalid_transition");
    await checkIn(ids.approved, false);
    await tools.commit(`${move}_event_registration`, about(ids.approved));
  });

  it("approve: past the capacity refused with the numbers, unless allow_over_capacity", async () => {
    await db.query(sql`update events set capacity = 1 where id = ${fixture.eventId}`);
    const error = await tools.refusal("approve_event_registration", about(ids.pending));
    expect(error.message).toMatch(/\b1\b/);
    await tools.commit("approve_event_registration", about(ids.pending, { allow_over_capacity: true }));
    expect((await details(ids.pending)).registration.status).toBe("approved");
  });
});
