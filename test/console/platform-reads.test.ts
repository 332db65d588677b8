import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { createPlatformFixture, type PlatformFixture } from "./platform-examples.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: PlatformFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await createPlatformFixture(service.db);
  cookie = await service.signIn(fixture.administratorId);
});

const get = (path: string) => service.get(`admin/${path}`, cookie);

/** All pages of a list. */
async function list(path: string, limit = 2): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor: string | null = null; ; ) {
    const separator = path.includes("?") ? "&" : "?";
    const page = await get(`${path}${separator}limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
    expect(page.status, page.text).toBe(200);
    items.push(...page.json.items);
    cursor = page.json.next_cursor;
    if (cursor === null) return items;
  }
}

describe("conferences", () => {
  it("are found in any status by words, with counts", async () => {
    const word = `Zephyr${randomUUID().slice(0, 8)}`;
    await service.db.query(sql`update conferences set name = ${`${word} Días`} where id = ${fixture.conferenceId}`);
    const found = await list(`conferences?q=dias%20${word.toLowerCase()}`);
    expect(found).toMatchObject([{ id: fixture.conferenceId, status: "draft", events: 1, drafts: 1 }]);
    expect(await list(`conferences?q=${word}&status=published`)).toEqual([]);
    const detail = await get(`conferences/${fixture.conferenceId}`);
    expect(detail.json).toMatchObject({ keys: 0, events_by_status: { draft: 1, published: 0 } });
    expect((await get(`conferences/${randomUUID()}`)).status).toBe(404);
  });

  it("that begin on the same day are listed once each", async () => {
    const word = `Tied${randomUUID().slice(0, 8)}`;
    const made = await Promise.all(Array.from({ length: 5 }, () => make.conference({ start_date: "2031-03-01" })));
    await service.db.query(sql`update conferences set name = ${word} where id = any (${made}::uuid[])`);
    expect((await list(`conferences?q=${word}`)).map(({ id }) => id)).toEqual(made.sort().reverse());
  });
});

describe("events", () => {
  it("of a conference are paged, the latest first, and filtered by status and words", async () => {
    const conference = await make.conference({ status: "archived" });
    const times = [1, 2, 2, 2, 3].map((day) => `2031-06-0${day}T10:00:00.000Z`);
    for (const start_time of times) await make.event(conference, { start_time, hosts: [fixture.organizationId] });
    const draft = await make.event(conference, { status: "draft" });
    const all = await list(`events?conference=${conference}&status=published`);
    expect(all.map(({ start_time }) => start_time)).toEqual(times.toReversed());
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
    expect(all[0]).toMatchObject({ host: "Harbour Works", conference: { id: conference, status: "archived" } });
    expect(await list(`events?conference=${conference}&status=draft`)).toMatchObject([{ id: draft, host: null }]);
    await service.db.query(sql`update events set name = 'Soirée d’été' where id = ${draft}`);
    expect(await list(`events?conference=${conference}&q=soiree%20dete`)).toMatchObject([{ id: draft }]);
    expect((await get(`events?conference=${conference}&status=hidden`)).status).toBe(400);
    expect((await get("events?cursor=nonsense")).status).toBe(400);
    const { next_cursor } = (await get("events?limit=1")).json;
    expect((await get(`events?limit=1&cursor=${next_cursor}`)).status).toBe(200);
    expect((await get(`events?limit=1&status=draft&cursor=${next_cursor}`)).status).toBe(400);
  });

  it("are listed from the earliest too, and for one organization, in any status", async () => {
    const organization = await make.organization();
    const conference = await make.conference();
    const days = [3, 1, 2, 2, 2];
    const ids = await Promise.all(
      days.map((day) =>
        make.event(conference, { start_time: `2031-07-0${day}T10:00:00.000Z`, status: "draft", hosts: [organization] }),
      ),
    );
    await make.event(conference, { hosts: [fixture.organizationId] });
    const listed = async (sort: string) =>
      (await list(`events?organization=${organization}&sort=${sort}`)).map(({ id }) => id);
    const expected = days
      .map((day, index) => `${day} ${ids[index]}`)
      .sort()
      .map((text) => text.slice(2));
    expect(await listed("earliest")).toEqual(expected);
    expect(await listed("latest")).toEqual(expected.toReversed());
    const { next_cursor } = (await get("events?limit=1&sort=earliest")).json;
    expect((await get(`events?limit=1&sort=latest&cursor=${next_cursor}`)).status).toBe(400);
    expect((await get("events?sort=name")).status).toBe(400);
  });

  it("show hosts and counts", async () => {
    const { json } = await get(`events/${fixture.eventId}`);
    expect(json).toMatchObject({
      id: fixture.eventId,
      status: "draft",
      ticketing_event_id: null,
      registrations: 0,
      posters: 0,
      hosts: [{ id: fixture.organizationId, role: "host" }],
    });
    expect((await get(`events/${randomUUID()}`)).status).toBe(404);
  });
});

describe("organizations and people", () => {
  it("are found by words, with members, keys and invitations", async () => {
    const word = `org${randomUUID().slice(0, 8)}`;
    const id = await make.organization(`Ümläut ${word}`);
    const owner = await make.member(id, "owner");
    await make.member(id, "member");
    await make.organizationKey(id, { userId: owner });
    const [found] = await list(`organizations?q=umlaut%20${word}`);
    expect(found).toMatchObject({ id, members: 2, owners: 1, keys: 1, events: 0 });
    const { json } = await get(`organizations/${id}`);
    expect(json.people).toMatchObject([{ id: owner, role: "owner" }, { role: "member" }]);
    await service.administer(cookie, "invite_person", { email: "x@example.com", organization_id: id, role: "admin" });
    const open = await get(`invitations?organization=${id}`);
    expect(open.json.items).toMatchObject([{ email: "x@example.com", role: "admin", invited_by: "Ada Min" }]);
    expect(open.text).not.toContain("token");
  });

  it("list the newest organizations first, each once", async () => {
    const word = `aged${randomUUID().slice(0, 8)}`;
    const made: string[] = [];
    for (const name of ["b", "a", "c"]) made.push(await make.organization(`${name} ${word}`));
    const days = [1, 2, 2];
    for (const [index, id] of made.entries())
      await service.db.query(sql`update organizations set created_at = ${`2030-01-0${days[index]}`} where id = ${id}`);
    const [oldest, ...newer] = made;
    const expected = [...newer.sort().reverse(), oldest];
    expect((await list(`organizations?q=${word}&sort=newest`, 1)).map(({ id }) => id)).toEqual(expected);
  });

  it("list organizations in the order of their names, each once", async () => {
    const word = `sorted${randomUUID().slice(0, 8)}`;
    for (const name of ["b", "A", "c", "a"]) await make.organization(`${name} ${word}`);
    const names = (await list(`organizations?q=${word}`)).map(({ name }) => String(name).toLowerCase()[0]);
    expect(names).toEqual(["a", "a", "b", "c"]);
  });

  it("list a person's organizations and when they were last there", async () => {
    const word = `person${randomUUID().slice(0, 8)}`;
    await service.db.query(sql`update users set name = ${`Zoë ${word}`} where id = ${fixture.personId}`);
    await service.db.query(sql`
      insert into sessions (user_id, token_hash, expires_at)
      values (${fixture.personId}, decode(md5(random()::text) || md5(random()::text), 'hex'), now())`);
    expect(await list(`people?q=zoe%20${word}`)).toMatchObject([
      {
        id: fixture.personId,
        platform_admin: false,
        last_seen_at: expect.any(String),
        organizations: [{ id: fixture.organizationId, role: "member" }],
      },
    ]);
    expect(await list(`people?id=${fixture.personId}`)).toMatchObject([{ name: `Zoë ${word}` }]);
    const admins = await list("people?platform_admin=true", 200);
    expect(admins.map(({ id }) => id)).toContain(fixture.administratorId);
    expect(admins.every(({ platform_admin }) => platform_admin)).toBe(true);
  });
});

it("keys are those of no organization, with who made them", async () => {
  const foreign = await make.keyId(await make.organizationKey(fixture.organizationId));
  const made = await service.administer(cookie, "create_platform_key", { tier: "super-admin", name: "Mine" });
  const keys = await list("keys", 200);
  expect(keys.map(({ id }) => id)).not.toContain(foreign);
  const own = keys.find(({ id }) => id === made.json.after.key.id);
  expect(own).toMatchObject({ name: "Mine", tier: "super-admin", state: "active", created_by: "Ada Min" });
  expect(JSON.stringify(keys)).not.toContain(made.json.key);
});

it("keys expire soon in their last days, at most in the second half of their life", async () => {
  /** A key that was made so many days ago and lives for so many in all. */
  const key = async (age: number, lifetime: number) => {
    const id = await make.keyId(await make.superAdminKey());
    await service.db.query(sql`
      update api_keys set created_at = now() - ${age} * interval '1 day',
        expires_at = now() + ${lifetime - age} * interval '1 day' - interval '1 minute' where id = ${id}`);
    return id;
  };
  const soon = [await key(4, 7), await key(76, 90), await key(716, 730)];
  const later = [await key(0, 7), await key(3, 7), await key(75, 90), await make.keyId(await make.superAdminKey())];
  const listed = new Map((await list("keys", 200)).map(({ id, expires_soon }) => [id, expires_soon]));
  expect(soon.map((id) => listed.get(id))).toEqual([true, true, true]);
  expect(later.map((id) => listed.get(id))).toEqual([false, false, false, false]);
  const { expiring_keys } = (await get("overview")).json.attention;
  const marked = [...listed].filter(([, isSoon]) => isSoon).map(([id]) => id);
  expect(expiring_keys.count).toBe(marked.length);
});

it("records are filtered and exported", async () => {
  await service.administer(cookie, "set_event_status", { event_id: fixture.eventId, status: "approved" });
  const query = `event=${fixture.eventId}&person=${fixture.administratorId}&tool=set_event_status&via=console`;
  const [record] = await list(`records?${query}`);
  expect(record).toMatchObject({
    tool: "set_event_status",
    via: "console",
    reason: "for the test",
    user: { name: "Ada Min" },
    changes: [{ path: "status", from: "draft", to: "approved" }],
  });
  const exported = await get(`records/export?${query}`);
  expect(exported.headers.get("content-disposition")).toBe('attachment; filename="records.csv"');
  expect(exported.text).toContain("Ada Min");
  expect(exported.text).toContain("status: draft → approved");
  expect(exported.text.trim().split("\r\n")).toHaveLength(2);
  expect((await get("records?person=nobody")).status).toBe(400);
});

it("the overview counts, and names what needs attention", async () => {
  const empty = await make.conference({ start_date: "1999-01-01" });
  await make.event(empty, { status: "draft" });
  const [owned, leaderless] = [await make.organization("   0 owned"), await make.organization("   0 leaderless")];
  await make.member(owned, "owner");
  await make.member(leaderless, "admin");
  const { json } = await get("overview");
  expect(json.counts).toMatchObject({ conferences: expect.any(Number), events: expect.any(Number) });
  expect(json.attention.empty_conferences.items.map(({ id }: { id: string }) => id)).toContain(empty);
  const ownerless = json.attention.ownerless_organizations.items.map(({ id }: { id: string }) => id);
  expect([owned, leaderless].map((id) => ownerless.includes(id))).toEqual([false, true]);
  expect(json.attention.draft_conferences.count).toBeGreaterThan(0);
  expect(json.attention.draft_conferences.items.length).toBeLessThanOrEqual(5);
  expect(json.attention.unfinished_writes).toEqual({ count: expect.any(Number), days: 7 });
});
