import fc from "fast-check";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { makerOn } from "../support/make.js";
import { guestNumber, type RosterGuest, useRoster } from "./roster-setup.js";

const { db, roster, addGuests, listPage, list } = useRoster();

const guestNumbers = (count: number) => Array.from({ length: count }, (_, n) => guestNumber(n));

const emails = (items: { email: string }[]) => items.map(({ email }) => email).sort();
const expected = (guests: RosterGuest[], wanted: (guest: RosterGuest) => boolean) => emails(guests.filter(wanted));
const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const contains = ({ name, email }: Pick<RosterGuest, "name" | "email">, query: string) =>
  plain(query)
    .split(" ")
    .every((word) => plain(name).includes(word) || plain(email).includes(word));

describe("list_event_registrations", () => {
  it("lists, filters and searches in pages of any size, each guest once, in order", async () => {
    const guests = guestNumbers(40);
    await addGuests(guests);
    const all = await list({}, 200);
    const [stored] = await db.query<{ ids: string[] }>(sql`
      select array_agg(id::text order by registered_at, id) as ids from registrations where event_id = ${roster.eventId}`);
    expect(all.map(({ id }) => id)).toEqual(stored?.ids);
    /** The items, which must be in the order of the whole list. */
    const listInOrder = async (filter: Record<string, unknown>, limit: number) => {
      const items = await list(filter, limit);
      const ids = new Set(items.map(({ id }) => id));
      expect(items, JSON.stringify(filter)).toEqual(all.filter(({ id }) => ids.has(id)));
      return emails(items);
    };
    for (const limit of [7, 100]) {
      expect(await list({}, limit)).toEqual(all);
      expect(await listInOrder({ status: "waitlisted" }, limit)).toEqual(
        expected(guests, (g) => g.status === "waitlisted"),
      );
      expect(await listInOrder({ checked_in: true }, limit)).toEqual(expected(guests, (g) => g.checked_in));
      expect(await listInOrder({ checked_in: "false" }, limit)).toEqual(expected(guests, (g) => !g.checked_in));
      expect(await listInOrder({ status: "approved", checked_in: false }, limit)).toEqual(
        expected(guests, (g) => g.status === "approved" && !g.checked_in),
      );
      expect(await list({ status: "pending", checked_in: true }, limit)).toEqual([]);
    }
    for (const query of ["a", "mail.EXAMPLE guest"]) {
      expect(await listInOrder({ query }, 7), query).toEqual(expected(guests, (g) => contains(g, query)));
      expect(await listInOrder({ query, status: "approved" }, 7), query).toEqual(
        expected(guests, (g) => contains(g, query) && g.status === "approved"),
      );
      expect(await listInOrder({ query, checked_in: true }, 7), query).toEqual(
        expected(guests, (g) => contains(g, query) && g.checked_in),
      );
    }
    for (const query of [
      "ada",
      "ÇELIK",
      "дмит",
      "%",
      "_",
      "\\",
      "t1",
      "GUEST22",
      " van ",
      "dyk ada",
      "no one",
      "no ada",
    ]) {
      expect(await listInOrder({ query }, 200), query).toEqual(expected(guests, (g) => contains(g, query.trim())));
    }
  });

  it("returns 50 guests unless asked for more, and 200 at most", async () => {
    await addGuests(guestNumbers(203));
    expect((await listPage({})).items).toHaveLength(50);
    const { items, pagination } = await listPage({ limit: 200 });
    expect(items).toHaveLength(200);
    expect(pagination).toMatchObject({ count: 200, has_more: true });
    for (const limit of [201, 5000]) {
      const { message } = await roster.tools.refusal("list_event_registrations", { limit });
      expect(message).toBe("limit: expected an integer from 1 to 200");
    }
  });

  it("counts the whole roster, whatever the page contains", async () => {
    await addGuests(guestNumbers(20));
    await db.query(sql`update events set capacity = 40 where id = ${roster.eventId}`);
    const counts = { pending: 4, approved: 8, waitlisted: 4, declined: 4, checked_in: 2, capacity: 40 };
    const page = await listPage({ status: "declined", limit: 1 });
    expect(page.counts).toEqual(counts);
    expect(page.items).toHaveLength(1);
    expect(await listPage({ query: "nobody" })).toEqual({
      items: [],
      pagination: { has_more: false, next_cursor: null, count: 0 },
      counts,
      message: expect.stringContaining("No guest matches"),
      suggestions: [],
    });
  });

  it("refuses a cursor of another list, and invalid input", async () => {
    await addGuests(guestNumbers(3));
    const { pagination } = await listPage({ limit: 1 });
    const cursor = pagination.next_cursor;
    for (const args of [
      { cursor, status: "pending" },
      { cursor, query: "guest" },
      { cursor: "x" },
      { query: " " },
      { limit: 0 },
      { limit: "five" },
      { status: "in" },
    ]) {
      expect((await roster.tools.refusal("list_event_registrations", args)).code, JSON.stringify(args)).toBe(
        "invalid_input",
      );
    }
  });

  it("ends a page early where long names would exceed the limit of a result", async () => {
    const guests = guestNumbers(200).map((guest, n) => ({ ...guest, name: `${n} ${"名".repeat(190)}` }));
    await addGuests(guests);
    const page = await listPage({ limit: 200 });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(62_000);
    expect(page.pagination.has_more).toBe(true);
    expect(emails(await list({}, 200))).toEqual(expected(guests, () => true));
  });
});

describe("the counts of a roster", () => {
  it("follow every way in which rows are added, changed and removed", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({
        do: fc.constantFrom("rename", "move", "decline", "delete" as const),
        every: fc.integer({ min: 2, max: 9 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await db.query(sql`delete from registrations where event_id = ${roster.eventId}`);
        let next = 0;
        for (const action of steps) {
          if (action.do === "add") {
            await addGuests(Array.from({ length: action.count }, () => guestNumber(next++)));
          } else {
            await change(action.do, action.every);
          }
        }
        const guests = await db.query<RosterGuest>(sql`
          select name, email, status, checked_in_at is not null as checked_in from registrations where event_id = ${roster.eventId}`);
        const { counts } = await listPage({});
        const count = (wanted: (guest: RosterGuest) => boolean) => guests.filter(wanted).length;
        expect(counts).toMatchObject({
          pending: count((g) => g.status === "pending"),
          approved: count((g) => g.status === "approved"),
          waitlisted: count((g) => g.status === "waitlisted"),
          declined: count((g) => g.status === "declined"),
          checked_in: count((g) => g.checked_in),
        });
        for (const query of ["renamed", "guest1"]) {
          expect(emails(await list({ query }, 200))).toEqual(expected(guests, (g) => contains(g, query)));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("are deleted with the event", async () => {
    const make = makerOn(db);
    const event = await make.event(await make.conference());
    await addGuests([guestNumber(1)], event);
    const count = async () => {
      const [row] = await db.query<{ count: number }>(sql`select count(*) from rosters where event_id = ${event}`);
      return row?.count;
    };
    expect(await count()).toBe(1);
    await db.query(sql`delete from events where id = ${event}`);
    expect(await count()).toBe(0);
  });

  /** Changes every nth guest of the roster. */
  function change(what: "rename" | "move" | "decline" | "delete", every: number) {
    const some = sql`event_id = ${roster.eventId} and substring(email from '[0-9]+')::integer % ${every}::integer = 0`;
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
