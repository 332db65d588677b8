import { readdir, readFile } from "node:fs/promises";
import fc from "fast-check";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type RosterFilter, selectRoster } from "../../src/modules/registrations/roster-store.js";
import { type Database, openDatabase, type Queryable } from "../../src/platform/database/db.js";
import { createEventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { createToolRunner, type ToolRunner } from "../support/tool-runner.js";

let db: Database;
let tools: ToolRunner;
let event_id: string;

beforeAll(async () => {
  db = openDatabase(inject("database"), { poolSize: 4, onIdleError: () => {} });
  const world = await createEventFixture(db);
  tools = createToolRunner(db, world);
  event_id = world.eventId;
});
afterAll(() => db.close());
beforeEach(() => db.query(sql`delete from registrations where event_id = ${event_id}`));

type RosterGuest = { name: string; email: string; status: string; registered_at: string; checked_in: boolean };

const start = Date.parse("2031-01-01T00:00:00.000Z");

/** Few distinct times, so that many guests tie; every fifth guest is declined, and so on. */
const guestNumber = (n: number): RosterGuest => ({
  name: ["Ada", "BO", "Çelik", "Дмитрий", "100%_\\ sure"][n % 5] + (n % 7 === 0 ? " van Dyk" : ""),
  email: `Guest${n}@${n % 2 === 0 ? "example.com" : "Mail.example.org"}`,
  status: ["approved", "pending", "approved", "waitlisted", "declined"][n % 5] ?? "pending",
  registered_at: new Date(start + (n % 11) * 1000).toISOString(),
  checked_in: n % 10 === 0,
});

const guestNumbers = (count: number) => Array.from({ length: count }, (_, n) => guestNumber(n));

const addGuests = (guests: RosterGuest[], event = event_id, database: Queryable = db) =>
  database.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, registered_at, checked_in_at)
    select ${event}, g->>'name', g->>'email', g->>'status', (g->>'registered_at')::timestamptz,
      case when (g->>'checked_in')::boolean then now() end
    from jsonb_array_elements(${JSON.stringify(guests)}) g returning id`);

const anyGuest: RosterFilter = { status: undefined, checkedIn: undefined, query: undefined };

const listPage = (args: Record<string, unknown>) => tools.run("list_event_registrations", { event_id, ...args });

async function list(
  filter: Record<string, unknown>,
  limit: number,
): Promise<{ id: string; name: string; email: string }[]> {
  const items = [];
  let cursor: string | undefined;
  do {
    const page = await listPage({ ...filter, limit, ...(cursor && { cursor }) });
    expect(page.pagination).toMatchObject({ count: page.items.length, has_more: page.pagination.next_cursor !== null });
    items.push(...page.items);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

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
      select array_agg(id::text order by registered_at, id) as ids from registrations where event_id = ${event_id}`);
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

  it("returns 200 guests at most, whatever the limit", async () => {
    await addGuests(guestNumbers(203));
    for (const limit of [200, 201, 5000]) {
      const { items, pagination } = await listPage({ limit });
      expect(items).toHaveLength(200);
      expect(pagination).toMatchObject({ count: 200, has_more: true });
    }
  });

  it("counts the whole roster, whatever the page contains", async () => {
    await addGuests(guestNumbers(20));
    await db.query(sql`update events set capacity = 40 where id = ${event_id}`);
    const counts = { pending: 4, approved: 8, waitlisted: 4, declined: 4, checked_in: 2, capacity: 40 };
    const page = await listPage({ status: "declined", limit: 1 });
    expect(page.counts).toEqual(counts);
    expect(page.items).toHaveLength(1);
    expect(await listPage({ query: "nobody" })).toEqual({
      items: [],
      pagination: { has_more: false, next_cursor: null, count: 0 },
      counts,
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
      { limit: "5" },
      { status: "in" },
    ]) {
      expect((await tools.refusal("list_event_registrations", { event_id, ...args })).code, JSON.stringify(args)).toBe(
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

describe("search", () => {
  const named = (name: string, n: number) => ({ ...guestNumber(n), name, email: `g${n}@mail.test` });
  const search = async (query: string) => (await list({ query }, 200)).map(({ name }) => name);

  it("ignores case, diacritics, apostrophes, the order of words and how characters are encoded", async () => {
    const names = [
      "Gonçalo de Almeida",
      "Joa\u0303o Goncalves",
      "Łukasz Żółć",
      "Søren Ærø",
      "Đỗ Thị Ngọc",
      "IŞIL Yıldız",
      "Jörg Weiß",
      "Þórður Œuvré",
      "Siobhán O’Brien",
      "Conor O'Neill",
      "Οδυσσεύς Ξένη",
      "ДМИТРИЙ Ёлкин",
      "김민준",
      "ガブリエル",
      "Ｆｕｌｌ Width",
    ];
    await addGuests(names.map(named));
    const found: Record<string, string[]> = {
      goncal: ["Gonçalo de Almeida", "Joa\u0303o Goncalves"],
      "gonc\u0327alo": ["Gonçalo de Almeida"],
      "ALMEIDA GONÇALO": ["Gonçalo de Almeida"],
      "meida  onça": ["Gonçalo de Almeida"],
      "almeida\u00a0goncalo": ["Gonçalo de Almeida"],
      "almeida joao": [],
      joão: ["Joa\u0303o Goncalves"],
      joao: ["Joa\u0303o Goncalves"],
      "lukasz zolc": ["Łukasz Żółć"],
      ŁUKASZ: ["Łukasz Żółć"],
      "soren aero": ["Søren Ærø"],
      "SØREN ÆRØ": ["Søren Ærø"],
      "do thi ngoc": ["Đỗ Thị Ngọc"],
      "isil yildiz": ["IŞIL Yıldız"],
      ışıl: ["IŞIL Yıldız"],
      "jorg weiss": ["Jörg Weiß"],
      WEIẞ: ["Jörg Weiß"],
      "thordur oeuvre": ["Þórður Œuvré"],
      obrien: ["Siobhán O’Brien"],
      "o'brien": ["Siobhán O’Brien"],
      "brien o": ["Siobhán O’Brien"],
      ...Object.fromEntries(
        ["'", "’", "‘", "ʼ", "ʻ", "`", "´", "′", "＇"].map((a) => [`o${a}neill`, ["Conor O'Neill"]]),
      ),
      ΟΔΥΣΣΕΥΣ: ["Οδυσσεύς Ξένη"],
      ξενη: ["Οδυσσεύς Ξένη"],
      "дмитрий елкин": ["ДМИТРИЙ Ёлкин"],
      민준: ["김민준"],
      기: [],
      ガ: ["ガブリエル"],
      カ: [],
      full: ["Ｆｕｌｌ Width"],
      "g1@mail.test": ["Joa\u0303o Goncalves"],
      "joao g1@": ["Joa\u0303o Goncalves"],
      "goncalo g1@": [],
    };
    for (const [query, expectedNames] of Object.entries(found)) {
      expect((await search(query)).sort(), query).toEqual(expectedNames.sort());
    }
  });

  it("finds a word in the name or in the e-mail address, not across the two or across guests", async () => {
    await addGuests([guestNumber(0), guestNumber(1)]);
    for (const query of ["Dykguest0", "comAda", "0@example.comAda", "comBO"]) {
      expect(await list({ query }, 50), query).toEqual([]);
    }
    expect(await search("Dyk guest0")).toEqual(["Ada van Dyk"]);
  });

  it("finds nothing for a query of ignored characters only", async () => {
    await addGuests([named("Conor O'Neill", 1)]);
    for (const query of ["'", "’ ´", "\u0301", "¨"]) expect(await search(query), query).toEqual([]);
    expect(await search("' conor")).toEqual(["Conor O'Neill"]);
  });

  it("accepts names longer than an index entry, also after normalization", async () => {
    const squared = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x3300 + ((n * 37) % 88))).join("");
    const tooLong = Array.from({ length: 3000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join(
      "",
    );
    await addGuests([named("ﷺ".repeat(200), 1), named(squared, 2), named("ß".repeat(200), 3), named(tooLong, 4)]);
    expect(await search("g2@mail.test")).toEqual([squared]);
    expect(await search("アパート")).toEqual([squared]);
    expect(await search("g4@mail.test")).toEqual([tooLong]);
    expect(await search("ss g3")).toEqual(["ß".repeat(200)]);
  });

  it("covers events and registrations that were stored before the migration", async () => {
    const folder = new URL("../../migrations/", import.meta.url);
    const names = (await readdir(folder)).filter((name) => name < "0005").sort();
    const [last, ...earlier] = names.reverse();
    expect(last).toBe("0004_search_text.sql");
    const apply = async (tx: Queryable, name: string) => tx.query(raw(await readFile(new URL(name, folder), "utf8")));
    const done = new Error("rolled back");
    const migration = db.transaction(async (tx) => {
      // A schema of its own, where no migration has run yet.
      await tx.query(sql`create schema before_search_text`);
      await tx.query(sql`set local search_path to before_search_text`);
      for (const name of earlier.reverse()) await apply(tx, name);
      const make = makerOn(tx);
      const event = await make.event(await make.conference());
      await addGuests([named("Gonçalo de Almeida", 1), named("Conor O’Neill", 2)], event, tx);
      await apply(tx, "0004_search_text.sql");
      await addGuests([named("Łukasz Żółć", 3)], event, tx);
      const found = async (query: string) =>
        (await tx.query<{ item: string }>(selectRoster(event, { ...anyGuest, query }, null, 9))).map(
          ({ item }) => JSON.parse(item).name,
        );
      expect(await found("almeida goncalo")).toEqual(["Gonçalo de Almeida"]);
      expect(await found("oneill")).toEqual(["Conor O’Neill"]);
      expect(await found("lukasz")).toEqual(["Łukasz Żółć"]);
      const [stored] = await tx.query(sql`
        select pending, waitlisted, (select convert_from(search_text, 'UTF8') from events) as event_text
        from rosters where event_id = ${event}`);
      expect(stored).toEqual({ pending: 1, waitlisted: 1, event_text: "test event" });
      throw done;
    });
    await expect(migration).rejects.toBe(done);
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
        await db.query(sql`delete from registrations where event_id = ${event_id}`);
        let next = 0;
        for (const action of steps) {
          if (action.do === "add") {
            await addGuests(Array.from({ length: action.count }, () => guestNumber(next++)));
          } else {
            await change(action.do, action.every);
          }
        }
        const guests = await db.query<RosterGuest>(sql`
          select name, email, status, checked_in_at is not null as checked_in from registrations where event_id = ${event_id}`);
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
  let event: string;
  beforeAll(async () => {
    const make = makerOn(db);
    event = await make.event(await make.conference());
    await addGuests(guestNumbers(2000), event);
    await db.query(sql`analyze registrations`);
  });

  it.each<[Partial<RosterFilter>, string]>([
    [{}, "Index Only Scan using registrations_of_event on"],
    [{ status: "waitlisted" }, "Index Only Scan using registrations_of_event_by_status on"],
    [{ checkedIn: true }, "Index Only Scan using registrations_checked_in on"],
    [{ checkedIn: false }, "Index Only Scan using registrations_not_checked_in on"],
    [{ status: "approved", checkedIn: false }, "Index Only Scan using registrations_expected on"],
    [{ query: "guest1999" }, "Index Only Scan using registrations_of_event on"],
    [{ query: "nobody" }, "Index Only Scan using registrations_of_event on"],
    [{ query: "nobody example guest mail 1" }, "Index Only Scan using registrations_of_event on"],
    [{ query: "guest", status: "declined" }, "Scan using registrations_of_event"],
    [{ query: "guest", checkedIn: false }, "Scan using registrations_"],
  ])("%j: %s", async (filter, scan) => {
    for (const after of [null, [new Date(start).toISOString(), "00000000-0000-0000-0000-000000000000"]]) {
      const statement = selectRoster(event, { ...anyGuest, ...filter }, after, 51);
      const rows = await db.query<{ "QUERY PLAN": string }>(sql`explain ${statement}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort/);
      expect(plan).toContain(scan);
    }
  });
});
