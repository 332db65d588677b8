import fc from "fast-check";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { selectRoster } from "../../src/modules/registrations/roster-store.js";
import { type Database, openDatabase } from "../../src/platform/db.js";
import { makeEventWorld } from "../support/event-world.js";
import { withPostgres } from "../support/needs.js";
import { type TestTools, toolRunnerOn } from "../support/tool-runner.js";

let db: Database;
let tools: TestTools;
let event_id: string;

beforeAll(() => {
  db = openDatabase(inject("database"), { poolSize: 4, onIdleError: () => {} });
});
afterAll(() => db.close());
beforeEach(async () => {
  const world = await makeEventWorld(db);
  tools = toolRunnerOn(db, world.caller);
  event_id = world.eventId;
  await db.query(sql`delete from registrations where event_id = ${event_id}`);
});

type Guest = { name: string; email: string; status: string; registered_at: string; checked_in: boolean };

const start = Date.parse("2031-01-01T00:00:00.000Z");

/** Few times, so that many guests tie; every fifth guest is declined, and so on. */
const guestNumber = (n: number): Guest => ({
  name: ["Ada", "BO", "Çelik", "Дмитрий", "100%_\\ sure"][n % 5] + (n % 7 === 0 ? " van Dyk" : ""),
  email: `Guest${n}@${n % 2 === 0 ? "example.com" : "Mail.example.org"}`,
  status: ["approved", "pending", "approved", "waitlisted", "declined"][n % 5] ?? "pending",
  registered_at: new Date(start + (n % 11) * 1000).toISOString(),
  checked_in: n % 10 === 0,
});

const addGuests = (guests: Guest[]) =>
  db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, registered_at, checked_in_at)
    select ${event_id}, g->>'name', g->>'email', g->>'status', (g->>'registered_at')::timestamptz,
      case when (g->>'checked_in')::boolean then now() end
    from jsonb_array_elements(${JSON.stringify(guests)}) g returning id`);

async function list(filter: Record<string, unknown>, limit: number): Promise<{ id: string; email: string }[]> {
  const items = [];
  let cursor: string | undefined;
  do {
    const page = await tools.run("list_event_registrations", { event_id, ...filter, limit, ...(cursor && { cursor }) });
    expect(page.pagination).toMatchObject({ count: page.items.length, has_more: page.pagination.next_cursor !== null });
    items.push(...page.items);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

const emails = (items: { email: string }[]) => items.map(({ email }) => email).sort();
const expected = (guests: Guest[], wanted: (guest: Guest) => boolean) => emails(guests.filter(wanted));
const contains = (guest: Guest, text: string) =>
  [guest.name, guest.email].some((value) => value.toLowerCase().includes(text.toLowerCase()));

describe("list_event_registrations", () => {
  it("lists, filters and searches in pages of any size, each guest once, in order", async () => {
    const guests = Array.from({ length: 230 }, (_, n) => guestNumber(n));
    await addGuests(guests);
    const all = await list({}, 200);
    const [stored] = await db.query<{ ids: string[] }>(sql`
      select array_agg(id::text order by registered_at, id) as ids from registrations where event_id = ${event_id}`);
    expect(all.map(({ id }) => id)).toEqual(stored?.ids);
    for (const limit of [7, 100]) {
      expect(await list({}, limit)).toEqual(all);
      expect(emails(await list({ status: "waitlisted" }, limit))).toEqual(
        expected(guests, (g) => g.status === "waitlisted"),
      );
      expect(emails(await list({ checked_in: true }, limit))).toEqual(expected(guests, (g) => g.checked_in));
      expect(emails(await list({ checked_in: "false" }, limit))).toEqual(expected(guests, (g) => !g.checked_in));
      const awaited = { status: "approved", checked_in: false };
      expect(emails(await list(awaited, limit))).toEqual(
        expected(guests, (g) => g.status === "approved" && !g.checked_in),
      );
      expect(await list({ status: "pending", checked_in: true }, limit)).toEqual([]);
      for (const query of [
        "ada",
        "ÇELIK",
        "дмит",
        "%",
        "_",
        "\\",
        "a",
        "t1",
        "GUEST22",
        " van ",
        "mail.EXAMPLE",
        "no one",
      ]) {
        const items = await list({ query }, limit);
        expect(emails(items), query).toEqual(expected(guests, (g) => contains(g, query.trim())));
        const ids = new Set(items.map(({ id }) => id));
        expect(items, query).toEqual(all.filter(({ id }) => ids.has(id)));
        expect(emails(await list({ query, status: "approved" }, limit)), query).toEqual(
          expected(guests, (g) => contains(g, query.trim()) && g.status === "approved"),
        );
      }
    }
  });

  it("does not find what only name and e-mail together, or two guests together, would make", async () => {
    await addGuests([guestNumber(0), guestNumber(1)]);
    for (const query of ["Dyk guest0", "Dykguest0", "comBO"]) expect(await list({ query }, 50)).toEqual([]);
  });

  it("searches on in the blocks where the first thousand of a state do not fill the page", async () => {
    const guests = Array.from({ length: 2600 }, (_, n) => ({
      ...guestNumber(n),
      status: n % 2 === 0 ? "approved" : "pending",
      checked_in: false,
      registered_at: new Date(start + n * 1000).toISOString(),
    }));
    await addGuests(guests);
    for (const query of ["guest24", "guest1", "bo"]) {
      const found = await list({ query, status: "approved" }, 20);
      expect(found.map(({ email }) => email)).toEqual(
        guests.filter((g) => contains(g, query) && g.status === "approved").map(({ email }) => email),
      );
    }
  });

  it("counts the whole roster, whatever the page shows", async () => {
    await addGuests(Array.from({ length: 20 }, (_, n) => guestNumber(n)));
    await db.query(sql`update events set capacity = 40 where id = ${event_id}`);
    const page = await tools.run("list_event_registrations", { event_id, status: "declined", limit: 1 });
    expect(page.counts).toEqual({ pending: 4, approved: 8, waitlisted: 4, declined: 4, checked_in: 2, capacity: 40 });
    expect(page.items).toHaveLength(1);
  });

  it("refuses a cursor of another list, and bad input", async () => {
    await addGuests(Array.from({ length: 3 }, (_, n) => guestNumber(n)));
    const { pagination } = await tools.run("list_event_registrations", { event_id, limit: 1 });
    const cursor = pagination.next_cursor;
    for (const args of [
      { cursor, status: "pending" },
      { cursor: "x" },
      { query: " " },
      { limit: 0 },
      { limit: "5" },
      { status: "in" },
    ]) {
      expect((await tools.refusal("list_event_registrations", { event_id, ...args })).code, JSON.stringify(args)).toBe(
        "invalid_input",
      );
    }
    expect((await tools.run("list_event_registrations", { event_id, limit: 5000 })).items).toHaveLength(3);
  });

  it("ends a page early rather than growing past what an agent can read", async () => {
    const guests = Array.from({ length: 200 }, (_, n) => ({ ...guestNumber(n), name: `${n} ${"名".repeat(190)}` }));
    await addGuests(guests);
    const page = await tools.run("list_event_registrations", { event_id, limit: 200 });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(62_000);
    expect(page.pagination.has_more).toBe(true);
    expect(emails(await list({}, 200))).toEqual(expected(guests, () => true));
  });
});

describe("counts and search text of a roster", () => {
  it("follow every way in which rows come, change and go", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), count: fc.integer({ min: 1, max: 90 }) }),
      fc.record({
        do: fc.constantFrom("rename", "move", "decline", "delete" as const),
        every: fc.integer({ min: 2, max: 9 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await db.query(sql`delete from registrations where event_id = ${event_id}`);
        let next = 0;
        for (const action of steps) {
          if (action.do === "add") {
            await addGuests(Array.from({ length: action.count }, () => guestNumber(next++)));
          } else {
            await change(action.do, action.every);
          }
        }
        const guests = await db.query<Guest & { email: string }>(sql`
          select name, email, status, checked_in_at is not null as checked_in from registrations where event_id = ${event_id}`);
        const { counts } = await tools.run("list_event_registrations", { event_id });
        const count = (wanted: (guest: Guest) => boolean) => guests.filter(wanted).length;
        expect(counts).toMatchObject({
          pending: count((g) => g.status === "pending"),
          approved: count((g) => g.status === "approved"),
          waitlisted: count((g) => g.status === "waitlisted"),
          declined: count((g) => g.status === "declined"),
          checked_in: count((g) => g.checked_in),
        });
        for (const query of ["renamed", "guest1", "ada"]) {
          expect(emails(await list({ query }, 31))).toEqual(expected(guests, (g) => contains(g, query)));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("go with the event", async () => {
    await addGuests([guestNumber(1)]);
    await db.query(sql`delete from events where id = ${event_id}`);
    const [left] = await db.query<{ count: number }>(sql`
      select (select count(*) from rosters where event_id = ${event_id})
        + (select count(*) from roster_blocks where event_id = ${event_id}) as count`);
    expect(left?.count).toBe(0);
  });

  /** Changes every nth guest of the roster. */
  function change(what: "rename" | "move" | "decline" | "delete", every: number) {
    const some = sql`event_id = ${event_id} and substring(email from '[0-9]+')::integer % ${every}::integer = 0`;
    return db.query(
      {
        rename: sql`update registrations set name = 'Renamed ' || name where ${some}`,
        move: sql`update registrations set registered_at = registered_at + interval '5 seconds' where ${some}`,
        decline: sql`
          update registrations set status = 'declined', checked_in_at = null where status <> 'declined' and ${some}`,
        delete: sql`delete from registrations where ${some}`,
      }[what],
    );
  }
});

withPostgres("plans of the roster's queries", () => {
  it("read no table from end to end and sort no roster", async () => {
    await addGuests(Array.from({ length: 6000 }, (_, n) => guestNumber(n)));
    await db.query(sql`analyze registrations, roster_blocks, rosters`);
    const any = { status: undefined, checkedIn: undefined, query: undefined };
    const position = [new Date(start).toISOString(), "00000000-0000-0000-0000-000000000000"];
    for (const filter of [
      any,
      { ...any, status: "waitlisted" as const },
      { ...any, checkedIn: true },
      { ...any, checkedIn: false },
      { ...any, status: "approved" as const, checkedIn: false },
      { ...any, query: "guest5999" },
      { ...any, query: "guest", status: "declined" as const },
    ]) {
      for (const after of [null, position]) {
        const statement = selectRoster(event_id, filter, after, 51);
        const rows = await db.transaction(async (tx) => {
          // A few thousand rows are read fastest from end to end; what counts is that an index could serve.
          await tx.query(sql`set local enable_seqscan = off`);
          return tx.query<{ "QUERY PLAN": string }>(sql`explain (analyze, timing off) ${statement}`);
        });
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        expect(plan).not.toMatch(/Seq Scan on (registrations|roster_blocks)/);
        expect(plan).toMatch(/Index.* Scan/);
        const sorted = [...plan.matchAll(/Sort .*rows=(\d+) loops=1/g)].map(([, count]) => Number(count));
        expect(Math.max(0, ...sorted), plan).toBeLessThanOrEqual(1000);
      }
    }
  });
});
