import { randomBytes, randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { recordBudget } from "../../src/records/recorded-change.js";
import { consoleRoutes } from "../../src/registry.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { publicUrl } from "../support/service.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(() => startConsole({}, { consoleLimit: 100_000, trustedProxy: 1 }));
let fixture: EventFixture;
/** Of Sofia Marques, who owns the organization. */
let cookie: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  await service.db.query(sql`update users set name = 'Sofia Marques' where id = ${fixture.caller.userId}`);
  cookie = await service.signIn(fixture.caller.userId);
});

const change = (tool: string, args: object = {}, organizationId = fixture.organizationId, by = cookie) =>
  service.change(organizationId, by, tool, { event_id: fixture.eventId, ...args });

async function createLink(name = "Main entrance") {
  const { status, json, text } = await change("create_door_link", { name });
  expect(status, text).toBe(200);
  const { link, pin } = json as { link: string; pin: string };
  return { id: json.after.door_link.id as string, token: link.split("#")[1] ?? "", link, pin, json };
}

/** Each from another address: attempts are limited by address. */
let addresses = 0;
const attempt = (token: string, pin: string, address = `198.51.100.${addresses++ % 250}`) =>
  service.post("door", undefined, { token, pin }, { headers: { "x-forwarded-for": address } });

/** The cookie of a device on which the link was opened. */
async function openDoor(link?: { token: string; pin: string }) {
  const { token, pin } = link ?? (await createLink());
  const opened = await attempt(token, pin);
  expect(opened.status, opened.text).toBe(204);
  return cookieIn(opened.headers.get("set-cookie"));
}

const cookieIn = (header: string | null) => (header ?? "").split(";")[0] ?? "";
const statusAt = async (door: string) => (await service.get("door", door)).status;

async function checkIn(door: string, registration_id: string, checked_in = true, key: string = randomUUID()) {
  const preview = await service.post("door/check-ins/preview", door, { registration_id, checked_in });
  if (preview.status !== 200) return preview;
  const { expected_version } = preview.json;
  const commit = { reason: "At the door", idempotency_key: key, expected_version };
  return service.post("door/check-ins", door, { registration_id, checked_in, ...commit });
}

const at = (path: string) => `organizations/${fixture.organizationId}/events/${fixture.eventId}/${path}`;
const links = async () => (await service.get(at("door-links"), cookie)).json.items;

describe("a door link", () => {
  it("is shown once with its PIN, and recorded without either", async () => {
    const { id, link, pin, json, token } = await createLink();
    expect(link).toMatch(new RegExp(`^${publicUrl}/door#[0-9A-Za-z]{43}$`));
    expect(pin).toMatch(/^\d{6}$/);
    expect(json.after).toEqual({
      door_links: 1,
      ends_at: expect.any(String),
      door_link: { id, name: "Main entrance", state: "open" },
    });
    const stored = await service.db.query<{ row: string }>(sql`
      select m::text as row from mutation_records m where m.event_id = ${fixture.eventId}
      union all select l::text from door_links l where id = ${id}`);
    expect(stored).toHaveLength(2);
    for (const { row } of stored) {
      expect(row).not.toContain(token);
      expect(row).not.toMatch(new RegExp(`"${pin}"`));
    }
    expect(await links()).toEqual([
      {
        id,
        name: "Main entrance",
        created_by: { id: fixture.caller.userId, name: "Sofia Marques" },
        created_at: expect.any(String),
        last_used_at: null,
        ends_at: "2031-05-02T02:00:00.000Z",
        devices: 0,
        state: "open",
      },
    ]);
  });

  it("is one of at most ten, of each organization that hosts the event", async () => {
    await createLink("Door 1");
    await service.db.query(sql`
      insert into door_links (event_id, organization_id, created_by, name, token_hash, pin_hash)
      select event_id, organization_id, created_by, 'Door ' || n, sha256(n::text::bytea || token_hash), pin_hash
      from door_links, generate_series(2, 10) n where event_id = ${fixture.eventId}`);
    const refused = await change("create_door_link", { name: "One more" });
    expect(refused).toMatchObject({ status: 409, json: { code: "conflict" } });
    const userId = await make.member(fixture.cohostOrganizationId, "admin");
    const cohost = await service.signIn(userId);
    const made = await change("create_door_link", { name: "Side" }, fixture.cohostOrganizationId, cohost);
    expect(made.status, made.text).toBe(200);
    expect(await links()).toHaveLength(10);
    const [first] = await links();
    expect(
      (await change("revoke_door_link", { door_link_id: first.id }, fixture.cohostOrganizationId, cohost)).status,
    ).toBe(404);
    await change("revoke_door_link", { door_link_id: first.id });
    expect((await change("create_door_link", { name: "One more" })).status).toBe(200);
  });

  it("is not made for an event that is over", async () => {
    await service.db.query(
      sql`update events set start_time = now() - interval '9 hours', end_time = now() - interval '7 hours' where id = ${fixture.eventId}`,
    );
    expect(await change("create_door_link", { name: "Late" })).toMatchObject({
      status: 409,
      json: { error: "The event is over. Nothing was changed" },
    });
  });

  it("opens the door on a device with its PIN, until the device closes it", async () => {
    const made = await createLink();
    const opened = await attempt(made.token, ` ${made.pin} `);
    expect(opened.headers.get("set-cookie")).toMatch(
      /^svc_door=[0-9A-Za-z]{43}; Max-Age=\d+; Path=\/api\/console\/door; HttpOnly; SameSite=Strict/,
    );
    const door = cookieIn(opened.headers.get("set-cookie"));
    expect((await service.get("door", door)).json).toEqual({
      link: { id: made.id, name: "Main entrance" },
      maker: "Sofia Marques",
      event: {
        id: fixture.eventId,
        name: "Test Event",
        timezone: expect.any(String),
        start_time: expect.any(String),
        end_time: expect.any(String),
      },
      organization: { name: "Harbour Works", brand_primary_color: null },
    });
    expect(await links()).toMatchObject([{ devices: 1, last_used_at: expect.any(String) }]);
    const closed = await service.post("door/close", door);
    expect(closed.headers.get("set-cookie")).toMatch(/^svc_door=; Max-Age=0; Path=\/api\/console\/door/);
    expect(await statusAt(door)).toBe(401);
  });

  it("is locked by ten wrong PINs, also by concurrent ones, and stays open where it was opened", async () => {
    const made = await createLink();
    const door = await openDoor(made);
    const wrong = made.pin === "000000" ? "000001" : "000000";
    const first = await attempt(made.token, wrong);
    expect(first).toMatchObject({ status: 403, json: { field: "pin" } });
    expect(first.json.error).toBe("This is not the PIN. 9 more and the link is locked");
    const guesses = await Promise.all(Array.from({ length: 20 }, () => attempt(made.token, wrong)));
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(9);
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(11);
    expect((await attempt(made.token, made.pin)).status).toBe(404);
    expect(await statusAt(door)).toBe(200);
    expect(await links()).toMatchObject([{ state: "locked" }]);
  });

  it("cannot be guessed from one address for long", async () => {
    const guesses = await Promise.all(Array.from({ length: 51 }, () => guessFrom("192.0.2.7")));
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(50).fill(404), 429]);
    expect((await guessFrom("192.0.2.8")).status).toBe(404);
  });
});

const guessFrom = (address: string) =>
  service.post(
    "door",
    undefined,
    { token: "x".repeat(43), pin: "123456" },
    { headers: { "x-forwarded-for": address } },
  );

describe("a volunteer", () => {
  it("sees names and states of the guests of the event, and nothing else of them", async () => {
    await service.db.query(
      sql`update registrations set note = 'Secret note', answers = '{"Diet": "Secret"}' where event_id = ${fixture.eventId}`,
    );
    const door = await openDoor();
    const { json, text } = await service.get("door/guests", door);
    expect(json.items).toHaveLength(4);
    for (const guest of json.items) {
      expect(Object.keys(guest).sort()).toEqual(["checked_in_at", "code_hash", "id", "name", "status", "ticket_type"]);
    }
    const { approved } = fixture.registrationIds;
    await checkIn(door, approved);
    const changes = await service.get("door/guests/changes?since=2020-01-01T00:00:00Z", door);
    expect(changes.json.items).toMatchObject([{ id: approved, checked_in_at: expect.any(String) }]);
    const one = await service.get(`door/guests/${approved}`, door);
    expect(`${text}${changes.text}${one.text}`).not.toMatch(/@|Secret/);
  });

  it("checks in, takes back what was checked in with the link, and nothing else", async () => {
    const { approved } = fixture.registrationIds;
    const door = await openDoor();
    expect((await checkIn(door, approved)).status).toBe(204);
    expect((await checkIn(door, approved, false)).status).toBe(204);
    await change("set_event_registration_check_in", { registration_id: approved, checked_in: true });
    const refused = await checkIn(door, approved, false);
    expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
    const other = await openDoor(await createLink("Side door"));
    await change("set_event_registration_check_in", { registration_id: approved, checked_in: false });
    await checkIn(door, approved);
    expect((await checkIn(other, approved, false)).status).toBe(403);
    expect((await checkIn(door, approved, false)).status).toBe(204);
  });

  it("adds a walk-in", async () => {
    const door = await openDoor();
    const guest = { name: "Ada Walker", email: "ada@example.com" };
    const preview = await service.post("door/walk-ins/preview", door, guest);
    expect(preview.json).toEqual({ warnings: [], expected_version: expect.any(String) });
    const commit = { reason: "At the door", idempotency_key: randomUUID(), ...preview.json, warnings: undefined };
    const added = await service.post("door/walk-ins", door, { ...guest, ...commit });
    expect(added.json).toEqual({ registration_id: expect.any(String) });
    expect((await service.post("door/walk-ins", door, { ...guest, ...commit })).json).toEqual(added.json);
    expect((await checkIn(door, added.json.registration_id, false)).status).toBe(204);
  });

  it("is named in records, activity, history and list_changes", async () => {
    const { approved } = fixture.registrationIds;
    const made = await createLink();
    await checkIn(await openDoor(made), approved);
    const { json } = await service.get(`organizations/${fixture.organizationId}/activity?via=door`, cookie);
    expect(json.items).toMatchObject([
      { via: "door", door_link: { id: made.id, name: "Main entrance" }, user: { name: "Sofia Marques" } },
    ]);
    const run = async (tool: string, args: object) =>
      (await service.post(`organizations/${fixture.organizationId}/tools/${tool}`, cookie, args)).json;
    const { items } = await run("list_changes", { event_id: fixture.eventId, limit: 1 });
    expect(items).toMatchObject([{ via: "door", by: "Door link of Sofia Marques (Main entrance)" }]);
    const details = await run("get_event_registration_details", {
      event_id: fixture.eventId,
      registration_id: approved,
    });
    expect(details.history[0]).toMatchObject({ user: { name: "Sofia Marques" }, door_link: { name: "Main entrance" } });
    await change("revert_change", { event_id: undefined, record_id: json.items[0].id });
    expect(
      (await service.get(`organizations/${fixture.organizationId}/activity?text=main+entrance`, cookie)).json.items,
    ).toHaveLength(1);
  });

  it("reaches no guest of another event, and no commit of the organization", async () => {
    const elsewhere = await createEventFixture(service.db);
    const door = await openDoor();
    for (const id of [elsewhere.registrationIds.approved, randomUUID()]) {
      expect((await checkIn(door, id)).status).toBe(404);
      expect((await service.get(`door/guests/${id}`, door)).status).toBe(404);
    }
    expect(
      (
        await service.post("door/check-ins/preview", door, {
          registration_id: fixture.registrationIds.approved,
          checked_in: true,
          event_id: elsewhere.eventId,
        })
      ).status,
    ).toBe(400);
    const key = randomUUID();
    const args = { event_id: fixture.eventId, registration_id: fixture.registrationIds.approved, checked_in: true };
    const tool = `organizations/${fixture.organizationId}/tools/set_event_registration_check_in`;
    const { commit_with } = (await service.post(tool, cookie, args)).json;
    await service.post(tool, cookie, { ...commit_with, reason: "By us", idempotency_key: key });
    const out = await checkIn(door, fixture.registrationIds.approved, true, key);
    expect(out.status).toBe(204);
  });

  it("learns nothing of a guest from a refusal", async () => {
    const door = await openDoor();
    const { approved } = fixture.registrationIds;
    const preview = await service.post("door/check-ins/preview", door, { registration_id: approved, checked_in: true });
    await change("decline_event_registration", { registration_id: approved });
    const commit = { reason: "At the door", idempotency_key: randomUUID(), ...preview.json };
    const refused = await service.post("door/check-ins", door, {
      registration_id: approved,
      checked_in: true,
      ...commit,
    });
    expect(refused.status).toBe(409);
    expect(refused.json).not.toHaveProperty("details");
    expect((await checkIn(door, approved)).json).not.toHaveProperty("details");
    expect((await checkIn(door, approved)).text).not.toContain("@");
  });
});

describe("what ends the right of the maker", () => {
  async function makerOf(names: string[]) {
    const makerId = await make.member(fixture.organizationId, "admin");
    const maker = await service.signIn(makerId);
    for (const name of names) await change("create_door_link", { name }, fixture.organizationId, maker);
    return { makerId, maker };
  }

  it("names the links that end", async () => {
    const { makerId, maker } = await makerOf(["Main entrance", "Side door"]);
    const preview = async (tool: string, args: object, by = cookie) =>
      (await service.post(`organizations/${fixture.organizationId}/tools/${tool}`, by, args)).json;
    const message =
      "2 door links by this person end, and volunteers who have opened them are signed out: Main entrance (Test Event), Side door (Test Event). Make new ones for doors that should stay open";
    for (const shown of [
      await preview("set_member_role", { user_id: makerId, role: "member" }),
      await preview("remove_member", { user_id: makerId }),
      await preview("leave_organization", {}, maker),
    ]) {
      expect(shown.warnings).toEqual([{ code: "door_links_end", path: "door_links", message }]);
      expect(shown).toMatchObject({
        current: { door_links: [{ name: "Main entrance", event: { id: fixture.eventId } }, { name: "Side door" }] },
        proposed: { door_links: [] },
      });
    }
    expect((await preview("set_member_role", { user_id: makerId, role: "owner" })).warnings).toEqual([]);
    const admin = await service.signIn(await make.platformAdministrator());
    const removal = await service.post("admin/tools/remove_person", admin, { person_id: makerId });
    expect(removal.json.warnings).toEqual([{ code: "door_links_end", path: "person", message }]);
  });

  it("does not name links that have ended already", async () => {
    const { makerId, maker } = await makerOf(["Main entrance"]);
    const [link] = await links();
    await change("revoke_door_link", { door_link_id: link.id }, fixture.organizationId, maker);
    const path = `organizations/${fixture.organizationId}/tools/remove_member`;
    expect((await service.post(path, cookie, { user_id: makerId })).json.warnings).toEqual([]);
  });
});

/** Adds a record of changes with a link, of bytes that do not compress. */
const fillRecords = (linkId: string, bytes: number) =>
  service.db.query(sql`
    insert into mutation_records (tool, organization_id, via, user_id, door_link_id, request, request_hash)
    values ('filling', ${fixture.organizationId}, 'door', ${fixture.caller.userId}, ${linkId},
      ${JSON.stringify(randomBytes(Math.ceil(bytes * 0.75)).toString("base64"))}, 'x')`);

describe("the budget of records", () => {
  it("of a link ends before that of other links, and that of all links before the organization's", async () => {
    const { approved } = fixture.registrationIds;
    const made = [await createLink("A"), await createLink("B"), await createLink("C")] as const;
    const [a, b, c] = await Promise.all(made.map((link) => openDoor(link)));
    await fillRecords(made[0].id, recordBudget.doorLinkBytes);
    const refused = await checkIn(a ?? "", approved);
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(refused.json.error).toMatch(/^Too much data was recorded: the changes with a door link may add 2\.5 MB/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(recordBudget.seconds - 60);
    expect((await checkIn(b ?? "", approved)).status).toBe(204);
    await fillRecords(made[1].id, recordBudget.doorBytes - recordBudget.doorLinkBytes);
    const byPeople = { registration_id: approved, checked_in: false };
    expect((await change("set_event_registration_check_in", byPeople)).status).toBe(200);
    const all = await checkIn(c ?? "", approved);
    expect(all.json.error).toMatch(/the changes with door links of an organization may add 5 MB/);
    const again = { registration_id: approved, checked_in: true };
    expect((await change("set_event_registration_check_in", again)).status).toBe(200);
  });

  it("of a link is enough for 2,000 check-ins", async () => {
    const made = await createLink();
    await checkIn(await openDoor(made), fixture.registrationIds.approved);
    const [row] = await service.db.query<{ bytes: number }>(sql`
      select pg_column_size(r.request) + coalesce(pg_column_size(r.before), 0) + coalesce(pg_column_size(r.after), 0)
        + coalesce(pg_column_size(r.result), 0) + coalesce(pg_column_size(r.row_changes), 0) as bytes
      from mutation_records r where door_link_id = ${made.id}`);
    expect(row?.bytes).toBeLessThan(recordBudget.doorLinkBytes / 2_000);
  });
});

describe("the limit of requests", () => {
  const limited = useService(() => startConsole({}, { consoleLimit: 20, trustedProxy: 1 })).service;

  async function openedLinks(count: number) {
    const event = await createEventFixture(limited.db);
    const by = await limited.signIn(event.caller.userId);
    const doors: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const args = { event_id: event.eventId, name: `Door ${n}` };
      const { json } = await limited.change(event.organizationId, by, "create_door_link", args);
      const body = { token: json.link.split("#")[1], pin: json.pin };
      const headers = { "x-forwarded-for": `203.0.113.${addresses++ % 250}` };
      const opened = await limited.post("door", undefined, body, { headers });
      doors.push(cookieIn(opened.headers.get("set-cookie")));
    }
    return { doors, by };
  }
  /** How many of 21 requests at once are served. */
  const served = async (door: string) => {
    const replies = await Promise.all(Array.from({ length: 21 }, () => limited.get("door", door)));
    return replies.filter(({ status }) => status === 200).length;
  };

  it("of a link is its own, and that of all links takes nothing from people and other organizations", async () => {
    const { doors, by } = await openedLinks(6);
    const others = await openedLinks(1);
    const counts: number[] = [];
    for (const door of doors) counts.push(await served(door));
    expect(counts).toEqual([20, 20, 20, 20, 20, 0]);
    expect((await limited.get("session", by)).status).toBe(200);
    expect((await limited.get("door", others.doors[0])).status).toBe(200);
  });
});

describe("everything else is closed", () => {
  const open = ["GET session", "POST sign-in", "POST sign-out", "GET sign-in/oidc", "GET sign-in/oidc/callback"];
  const links = ["POST password/request-reset", "GET password/resets/:token", "POST password/resets/:token"];
  const invited = ["GET invitations/:token", "POST invitations/:token/accept", "GET connect/:uid"];
  /** What needs no session at all. */
  const ofVisitors = [...open, ...links, ...invited, "POST door", "POST door/close"];
  const ofVolunteers = [
    "GET door",
    "GET door/guests",
    "GET door/guests/changes",
    "GET door/guests/:registration",
    "POST door/scan",
    "POST door/check-ins/preview",
    "POST door/check-ins",
    "POST door/walk-ins/preview",
    "POST door/walk-ins",
  ];
  const requests = consoleRoutes.map(({ method, path }) => `${method} ${path.replace("/api/console/", "")}`);

  /** What is theirs is closed to everybody else: test/console/access.test.ts. */
  it("to volunteers", async () => {
    const door = await openDoor();
    const ids: Record<string, string> = {
      ":organization": fixture.organizationId,
      ":event": fixture.eventId,
      ":registration": fixture.registrationIds.approved,
      ":tool": "list_changes",
    };
    const statusOf = async (request: string) => {
      const [method = "", path = ""] = request.split(" ");
      const url = path.replaceAll(/:\w+/g, (name) => ids[name] ?? fixture.eventId);
      const response = await fetch(`${service.url}/api/console/${url}`, {
        method,
        redirect: "manual",
        headers: { origin: service.url, cookie: door, "content-type": "application/json" },
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      await response.body?.cancel();
      return response.status;
    };
    const isTheirs = (request: string) => ofVolunteers.includes(request) || ofVisitors.includes(request);
    const closed = requests.filter((request) => !isTheirs(request)).sort();
    const refused: string[] = [];
    for (const request of requests) {
      // A wrong password is a 401 too, and closing the door would end the session.
      if (["POST sign-in", "POST door/close"].includes(request)) continue;
      if ((await statusOf(request)) === 401) refused.push(request);
    }
    expect(refused.sort()).toEqual(closed);
  });

  it.each(["/api/svc/conferences", "/api/svc/posters", "/api/mcp", "/api/ticketing/event/get?id=1"])(
    "%s does not take the cookie",
    async (path) => {
      const headers = { cookie: await openDoor() };
      const mcp = path === "/api/mcp";
      const reply = await service.call(path, {
        headers,
        ...(mcp ? { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } } : {}),
      });
      expect(reply.status).toBe(401);
    },
  );

  it("to pages of other sites", async () => {
    const door = await openDoor();
    const body = { registration_id: fixture.registrationIds.approved, checked_in: true };
    for (const origin of ["https://evil.example", "null"]) {
      const refused = await service.post("door/check-ins/preview", door, body, { headers: { origin } });
      expect(refused.status).toBe(403);
    }
  });
});

describe("the door closes at once", () => {
  const event = () => sql`where id = ${fixture.eventId}`;
  const endings: [why: string, end: (id: string) => Promise<unknown>][] = [
    ["the link is revoked", (id) => change("revoke_door_link", { door_link_id: id })],
    [
      "the event is over since six hours",
      () =>
        service.db.query(
          sql`update events set start_time = now() - interval '9 hours', end_time = now() - interval '361 minutes' ${event()}`,
        ),
    ],
    ["the event is cancelled", () => change("cancel_event", { message: undefined })],
    ["the event is archived", () => service.db.query(sql`update events set status = 'archived' ${event()}`)],
    [
      "the organization no longer hosts the event",
      () => service.db.query(sql`delete from event_hosts where organization_id = ${fixture.organizationId}`),
    ],
    [
      "the maker is a member only",
      () => service.db.query(sql`update members set role = 'member' where user_id = ${fixture.caller.userId}`),
    ],
    ["the maker has left", () => service.db.query(sql`delete from members where user_id = ${fixture.caller.userId}`)],
    ["the maker is removed", () => service.db.query(sql`delete from users where id = ${fixture.caller.userId}`)],
  ];

  it.each(endings)("when %s", async (_why, end) => {
    const made = await createLink();
    const door = await openDoor(made);
    expect(await statusAt(door)).toBe(200);
    await end(made.id);
    expect(await statusAt(door)).toBe(401);
    expect((await checkIn(door, fixture.registrationIds.approved)).status).toBe(401);
    expect((await attempt(made.token, made.pin)).status).toBe(404);
  });

  it("follows an event that is moved", async () => {
    const made = await createLink();
    const door = await openDoor(made);
    await service.db.query(
      sql`update events set start_time = now() - interval '3 hours', end_time = now() - interval '5 hours' + interval '4 hours' ${event()}`,
    );
    expect(await statusAt(door)).toBe(200);
  });
});
