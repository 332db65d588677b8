import { createHash, randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(() => startConsole({}, { consoleLimit: 1_000_000 }));
let fixture: EventFixture;
let member: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  member = await service.signIn(await make.member(fixture.organizationId, "member"));
});

const eventPath = (rest: string) => `organizations/${fixture.organizationId}/events/${fixture.eventId}/${rest}`;
const read = (rest: string, cookie = member) => service.get(eventPath(rest), cookie);

async function addGuests(guests: { name: string; status?: string; answers?: object; checked_in?: boolean }[]) {
  const rows = await service.db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, answers, checked_in_at)
    select ${fixture.eventId}, g->>'name', gen_random_uuid() || '@example.com', coalesce(g->>'status', 'approved'),
      coalesce(g->'answers', '{}'), case when (g->>'checked_in')::boolean then now() end
    from jsonb_array_elements(${JSON.stringify(guests)}) with ordinality as given (g, place) order by place
    returning id`);
  return rows.map(({ id }) => id);
}

const change = (cookie: string, tool: string, args: object) =>
  service.change(fixture.organizationId, cookie, tool, { event_id: fixture.eventId, ...args });
const checkIn = (registration_id: string, cookie: string) =>
  change(cookie, "set_event_registration_check_in", { registration_id, checked_in: true });

describe("a selection", () => {
  it("has everybody who matches, with what decides about changes", async () => {
    const [arrived] = await addGuests([{ name: "Zoë Šimek", checked_in: true }]);
    const { pending, approved, waitlisted, declined } = fixture.registrationIds;
    const all = await read("guests/selection");
    expect(all.json.items.map(({ id }: { id: string }) => id).sort()).toEqual(
      [pending, approved, waitlisted, declined, arrived].sort(),
    );
    expect((await read("guests/selection?query=zoe%20simek")).json.items).toEqual([
      { id: arrived, name: "Zoë Šimek", status: "approved", checked_in: true },
    ]);
    expect((await read("guests/selection?status=pending")).json.items).toEqual([
      { id: pending, name: "Guest pending", status: "pending", checked_in: false },
    ]);
    expect((await read("guests/selection?checked_in=true")).json.items).toHaveLength(1);
    const notCheckedIn = (await read("guests/selection?checked_in=false")).json.items;
    expect(notCheckedIn).toHaveLength(all.json.items.length - 1);
    expect((await read("guests/selection?status=lost")).status).toBe(400);
  });
});

it("list_event_registrations lists the events if none is named, as for MCP", async () => {
  const path = `organizations/${fixture.organizationId}/tools/list_event_registrations`;
  const { status, json } = await service.post(path, member, {});
  expect(status).toBe(200);
  expect(json.events).toEqual([expect.objectContaining({ id: fixture.eventId, pending: 1, approved: 1 })]);
});

describe("the export", () => {
  it("is a file for spreadsheets in which no cell is a formula", async () => {
    await service.db.query(sql`delete from registrations where event_id = ${fixture.eventId}`);
    await addGuests([
      { name: '=HYPERLINK("http://evil.example","x")', answers: { Diet: "Vegan, no nuts", Size: ["S", "M"] } },
      { name: "Łukasz 王", status: "pending", answers: { Diet: "@SUM(A1)" } },
    ]);
    const { status, headers, text } = await read("guests.csv");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="test-event-guests.csv"');
    // fetch removes the byte order mark from texts.
    const bytes = await fetch(`${service.url}/api/console/${eventPath("guests.csv")}`, { headers: { cookie: member } });
    expect([...new Uint8Array(await bytes.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = text.split("\r\n");
    expect(lines[0]).toBe("Name,Email,Status,Ticket type,Registered at,Checked in at,Source,Note,Diet,Size");
    const rows = lines.slice(1, -1).sort();
    expect(rows[0]).toMatch(
      /^"'=HYPERLINK\(""http:\/\/evil\.example"",""x""\)",\S+,approved,,.*,"Vegan, no nuts",S; M$/,
    );
    expect(rows[1]).toMatch(/^Łukasz 王,\S+,pending,,.*,'@SUM\(A1\),$/);
    expect(lines).toHaveLength(4);
  });

  it("follows the filters, and has every guest once over many pages", async () => {
    const names = Array.from({ length: 401 }, (_, index) => ({ name: `Many ${index}` }));
    await addGuests(names);
    const { text } = await read("guests.csv?status=approved&query=many");
    const found = text.split("\r\n").slice(1, -1);
    expect(new Set(found.map((row) => row.split(",")[0]))).toEqual(new Set(names.map(({ name }) => name)));
    expect(found).toHaveLength(401);
  });
});

describe("a guest code", () => {
  it("leads back to its guest, at its event only", async () => {
    const { approved } = fixture.registrationIds;
    const { code } = (await read(`guests/${approved}/code`)).json;
    const scan = (text: string, path = eventPath("door/scan")) => service.post(path, member, { code: text });
    expect((await scan(code)).json.guest).toMatchObject({ id: approved, status: "approved", checked_in_at: null });
    expect((await scan(`${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`)).status).toBe(404);
    expect((await scan("https://example.com")).status).toBe(404);
    const secondEvent = await make.event(await make.conference(), {
      hosts: [fixture.organizationId],
    });
    const elsewhere = `organizations/${fixture.organizationId}/events/${secondEvent}/door/scan`;
    expect((await scan(code, elsewhere)).status).toBe(404);
  });

  it("is printed for approved guests", async () => {
    const { json } = await read("guests/codes");
    const { approved } = fixture.registrationIds;
    const { code } = (await read(`guests/${approved}/code`)).json;
    expect(json).toMatchObject({ items: [{ id: approved, name: "Guest approved", code }], next_cursor: null });
  });

  it("does not exist for a guest of another event", async () => {
    expect((await read(`guests/${randomUUID()}/code`)).status).toBe(404);
  });
});

describe("the door", () => {
  it("gets every guest in pages, without codes but with what recognizes them", async () => {
    await addGuests(Array.from({ length: 500 }, (_, index) => ({ name: `Guest ${index}` })));
    const first = (await read("door")).json;
    expect(first).toMatchObject({ event: { name: "Test Event", timezone: "Europe/Lisbon" } });
    expect(first.items).toHaveLength(500);
    const second = (await read(`door?cursor=${first.next_cursor}`)).json;
    expect(second.next_cursor).toBeNull();
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(504);
    const guest = first.items[0];
    const { code } = (await read(`guests/${guest.id}/code`)).json;
    const digest = createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url");
    expect(guest.code_hash).toBe(digest);
    expect(JSON.stringify(first)).not.toContain(code);
  });

  it("learns who changed since then", async () => {
    const { as_of: since } = (await read("door")).json;
    expect((await read(`guests/changes?since=${since}`)).json).toMatchObject({
      reload: false,
      items: [],
      event: { id: fixture.eventId },
      counts: { pending: 1, approved: 1, waitlisted: 1, declined: 1, checked_in: 0, capacity: null },
    });
    const { approved } = fixture.registrationIds;
    expect((await checkIn(approved, member)).status).toBe(200);
    const changed = (await read(`guests/changes?since=${since}`)).json;
    expect(changed.items).toEqual([
      expect.objectContaining({ id: approved, checked_in_at: expect.any(String), code_hash: expect.any(String) }),
    ]);
    expect((await read(`guests/changes?since=${new Date(Date.now() + 3_600_000).toISOString()}`)).json.items).toEqual(
      [],
    );
    expect((await read("guests/changes?since=yesterday")).status).toBe(400);
  });

  it("learns again what had changed shortly before, because it may have been committed later", async () => {
    const { approved } = fixture.registrationIds;
    expect((await checkIn(approved, member)).status).toBe(200);
    const { as_of: since } = (await read("door")).json;
    expect((await read(`guests/changes?since=${since}`)).json.items).toMatchObject([{ id: approved }]);
  });

  it("learns of guests who were added and of changes of many", async () => {
    const { as_of: since } = (await read("door")).json;
    const owner = await service.signIn(fixture.caller.userId);
    const run = (tool: string, args: object) => change(owner, tool, args);
    await run("add_event_guest", { name: "Late Arrival", email: "late@example.com" });
    const { pending, waitlisted } = fixture.registrationIds;
    await run("batch_update_event_registrations", { action: "approve", registration_ids: [waitlisted] });
    await run("batch_update_event_registrations", { action: "approve", filter: { status: "pending" } });
    const two = ["later@example.com", "latest@example.com"].map((email) => ({ name: email, email }));
    await run("add_event_guest", { guests: two });
    const { items } = (await read(`guests/changes?since=${since}`)).json;
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual([
      ...["Guest pending", "Guest waitlisted", "Late Arrival", "later@example.com", "latest@example.com"],
    ]);
    expect(items.find(({ id }: { id: string }) => id === pending)).toMatchObject({ status: "approved" });
  });

  it("reads everything again after more changes than it reads one by one", async () => {
    const { as_of: since } = (await read("door")).json;
    const ids = await addGuests(Array.from({ length: 1_001 }, (_, index) => ({ name: `Guest ${index}` })));
    await service.db.query(sql`
      insert into mutation_records (tool, organization_id, event_id, via, operator, request, request_hash)
      values ('batch_update_event_registrations', ${fixture.organizationId}, ${fixture.eventId}, 'command_line', 'test',
        ${JSON.stringify({ registration_ids: ids })}, '')`);
    expect((await read(`guests/changes?since=${since}`)).json).toMatchObject({ reload: true, items: [] });
  });

  it("can be installed for its event", async () => {
    const { headers, text } = await read("door.webmanifest");
    expect(headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
    const [{ slug } = { slug: "" }] = await service.db.query<{ slug: string }>(
      sql`select slug from organizations where id = ${fixture.organizationId}`,
    );
    expect(JSON.parse(text)).toMatchObject({
      name: "Check-in: Test Event",
      start_url: `/o/${slug}/events/${fixture.eventId}/door`,
    });
  });
});

describe("who may read guests", () => {
  const paths = (): [string, "get" | "post"][] => [
    ["guests/selection", "get"],
    ["guests.csv", "get"],
    ["guests/codes", "get"],
    [`guests/${fixture.registrationIds.approved}/code`, "get"],
    ["door", "get"],
    ["guests/changes?since=2031-01-01T00:00:00Z", "get"],
    ["door.webmanifest", "get"],
    ["door/scan", "post"],
  ];
  const statuses = async (organizationId: string, cookie: string) =>
    Promise.all(
      paths().map(async ([rest, method]) => {
        const path = `organizations/${organizationId}/events/${fixture.eventId}/${rest}`;
        const { status } = await (method === "get"
          ? service.get(path, cookie)
          : service.post(path, cookie, { code: "nothing" }));
        return status;
      }),
    );

  /** Strangers and visitors are refused like everywhere: access.test.ts. */
  it("is every member of an organization that hosts the event, and of no other", async () => {
    const readable = [200, 200, 200, 200, 200, 200, 200, 404];
    expect(await statuses(fixture.organizationId, member)).toEqual(readable);
    const cohost = await service.signIn(await make.member(fixture.cohostOrganizationId, "member"));
    expect(await statuses(fixture.cohostOrganizationId, cohost)).toEqual(readable);
    const elsewhere = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
    expect(await statuses(fixture.otherOrganizationId, elsewhere)).toEqual(paths().map(() => 403));
  });
});
