import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;
let organization: string;
let cookie: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
  organization = await make.organization("Forty Events");
  cookie = await service.signIn(await make.member(organization, "member"));
});

type Listed = { id: string; name: string; start_time: string; needs: object[] };

const get = (query: string, of = organization, as = cookie) => service.get(`organizations/${of}/events?${query}`, as);
const list = async (query = "", of = organization, as = cookie): Promise<Listed[]> => {
  const { status, json, text } = await get(query, of, as);
  expect(status, text).toBe(200);
  return json.items;
};
const namesOf = async (query: string) => (await list(query)).map(({ name }) => name);
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const hosted = async (conference: string, name: string, fields: object = {}) =>
  make.event(conference, { name, hosts: [organization], ...fields });

async function walk(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ""; ; ) {
    const { json, text } = await get(`${query}&limit=2${cursor}`);
    expect(json.items, text).toEqual(expect.any(Array));
    found.push(...json.items.map(({ id }: Listed) => id));
    if (json.next_cursor === null) return found;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

it("lists the events that the organization hosts or co-hosts and that are listed, with counts and what they need", async () => {
  await make.poster(fixture.eventId);
  await make.event(await make.conference(), { hosts: [fixture.otherOrganizationId] });
  const item = {
    id: fixture.eventId,
    status: "published",
    pending: 1,
    approved: 1,
    waitlisted: 1,
    checked_in: 0,
    capacity: null,
    posters: { published: 1, drafts: 1, unposted: 1 },
    needs: [
      { kind: "pending_guests", count: 1 },
      { kind: "unposted_posters", count: 1 },
      { kind: "draft_posters", count: 1 },
    ],
  };
  expect(await list("", fixture.organizationId, owner)).toMatchObject([{ ...item, role: "host" }]);
  const cohost = await service.signIn(await make.member(fixture.cohostOrganizationId, "member"));
  expect(await list("", fixture.cohostOrganizationId, cohost)).toMatchObject([{ ...item, role: "co_host" }]);
  await service.db.query(sql`update events set status = 'draft' where id = ${fixture.eventId}`);
  expect(await list("", fixture.organizationId, owner)).toEqual([]);
  expect((await get("", fixture.organizationId, cookie)).status).toBe(404);
});

describe("filters", () => {
  it("find events by time, conference and status, together", async () => {
    const [one, other] = [await make.conference(), await make.conference()];
    await hosted(one, "Past", { start_time: at(-3), end_time: at(-2) });
    await hosted(one, "Running", { start_time: at(-1), end_time: at(1) });
    await hosted(one, "Soon", { start_time: at(2), end_time: at(3), status: "approved" });
    await hosted(other, "Later", { start_time: at(40), end_time: at(41) });
    // Too long for an event that still runs: it counts as past.
    await hosted(other, "Exhibition", { start_time: at(-60), end_time: at(60) });
    expect(await namesOf("")).toEqual(["Exhibition", "Past", "Running", "Soon", "Later"]);
    expect(await namesOf("when=upcoming")).toEqual(["Running", "Soon", "Later"]);
    expect(await namesOf("when=past")).toEqual(["Exhibition", "Past"]);
    expect(await namesOf(`conference=${one}`)).toEqual(["Past", "Running", "Soon"]);
    expect(await namesOf("status=approved")).toEqual(["Soon"]);
    expect(await namesOf(`from=${at(0)}&until=${at(30)}`)).toEqual(["Soon"]);
    expect(await namesOf(`conference=${other}&when=upcoming`)).toEqual(["Later"]);
    expect(await namesOf(`conference=${other}&status=approved`)).toEqual([]);
    const { items } = (await service.get(`organizations/${organization}/conferences`, cookie)).json;
    expect(items.map(({ id }: Listed) => id).sort()).toEqual([one, other].sort());
  });

  it("find what needs somebody by the rule of the dashboard", async () => {
    const conference = await make.conference();
    await hosted(conference, "Calm", { start_time: at(1), end_time: at(2) });
    const waiting = await hosted(conference, "Waiting", { start_time: at(3), end_time: at(4) });
    const over = await hosted(conference, "Over", { start_time: at(-4), end_time: at(-3) });
    for (const id of [waiting, over]) {
      await service.db.query(
        sql`insert into registrations (event_id, name, email, status) values (${id}, 'A', 'a@example.com', 'pending')`,
      );
    }
    expect(await namesOf("needs=me")).toEqual(["Waiting"]);
    const { attention } = (await service.get(`organizations/${organization}/dashboard`, cookie)).json;
    expect(attention).toMatchObject({ lines: [{ kind: "event", event: { id: waiting } }], events: 1 });
    expect((await list(`conference=${conference}`)).filter(({ needs }) => needs.length > 0)).toHaveLength(1);
    expect(await namesOf("needs=me&when=past")).toEqual([]);
  });

  it.each([
    ["when=tomorrow", "when"],
    ["conference=lisbon", "conference"],
    ["from=2026-01-01", "from"],
    ["status=draft", "status"],
    ["needs=everybody", "needs"],
    ["sort=size", "sort"],
  ])("refuse %s", async (query, field) => {
    const { status, json } = await get(query);
    expect([status, json.field]).toEqual([400, field]);
  });
});

describe("pages", () => {
  it("go through every order without a gap or a repeat, also among equals", async () => {
    const conference = await make.conference();
    const start = at(5);
    const ids: string[] = [];
    for (const name of ["b", "A", "a", "B", "a"]) {
      ids.push(await hosted(conference, name, { start_time: start, end_time: at(6) }));
    }
    for (const [place, id] of ids.entries()) {
      const guests = Array.from({ length: place % 2 }, (_, i) => `guest${i}@example.com`);
      for (const email of guests) {
        await service.db.query(sql`
          insert into registrations (event_id, name, email, status) values (${id}, 'Guest', ${email}, 'approved')`);
      }
    }
    const named = (found: string[]) => found.map((id) => ["b", "a", "a", "b", "a"][ids.indexOf(id)]);
    const guestsOf = (found: string[]) => found.map((id) => ids.indexOf(id) % 2);
    const byId = ids.toSorted();
    expect(await walk("sort=earliest")).toEqual(byId);
    expect(await walk("sort=latest")).toEqual(byId.toReversed());
    expect(await walk("sort=earliest&status=published")).toEqual(byId);
    const names = await walk("sort=name");
    expect([names.toSorted(), named(names)]).toEqual([byId, ["a", "a", "a", "b", "b"]]);
    const guests = await walk("sort=guests");
    expect([guests.toSorted(), guestsOf(guests)]).toEqual([byId, [1, 1, 0, 0, 0]]);
  });

  it("belong to their filters and order", async () => {
    const conference = await make.conference();
    for (const name of ["a", "b"]) await hosted(conference, name);
    const { next_cursor } = (await get("limit=1")).json;
    expect((await get(`limit=1&cursor=${next_cursor}`)).status).toBe(200);
    for (const other of ["sort=latest", "sort=name", "when=upcoming"]) {
      const { status, json } = await get(`limit=1&cursor=${next_cursor}&${other}`);
      expect([status, json.field]).toEqual([400, "cursor"]);
    }
  });
});
