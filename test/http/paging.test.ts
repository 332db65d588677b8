import { randomUUID } from "node:crypto";
import fc from "fast-check";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { type Service, startService } from "../support/service.js";

type Tier = "super-admin" | "conference" | "organization";
type Row = { id: string; sortKey: (string | number)[] };
type Page = { items: { id: string }[]; pagination: { has_more: boolean; next_cursor: string | null; count: number } };

let service: Service;
let make: Make;
let organization: string;
let keys: Record<Tier, string>;
let conference: string;
let event: string;
const rows: Record<"conferences" | "events" | "posters", Row[]> = { conferences: [], events: [], posters: [] };

/** Sort keys that no other test uses, before all of theirs: the rows open even a super-admin's list of everything. */
const earlyDates = ["1000-01-01", "1000-01-02", "1000-01-03"];
const earlyOrders = [-3e12, -2e12, -1e12];
const start = "2031-05-01T18:00:00Z";

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
  organization = await make.organization();
  conference = await make.conference({ start_date: "1000-01-01" });
  event = await make.event(conference, { hosts: [organization], start_time: start });
  keys = {
    "super-admin": await make.superAdminKey(),
    conference: await make.conferenceKey(conference),
    organization: await make.organizationKey(organization),
  };
  rows.conferences.push({ id: conference, sortKey: ["1000-01-01"] });
  rows.events.push({ id: event, sortKey: [start] });
  // 21 rows a list, 7 on each sort key: pages of 7 and of fewer are full of ties.
  for (let i = 0; i < 20; i++) {
    const date = earlyDates[(i + 1) % 3] ?? "";
    const id = await make.conference({ start_date: date });
    await make.event(id, { hosts: [organization] });
    rows.conferences.push({ id, sortKey: [date] });
    const time = `2031-05-0${1 + ((i + 1) % 3)}T18:00:00Z`;
    rows.events.push({
      id: await make.event(conference, { hosts: [organization], start_time: time }),
      sortKey: [time],
    });
  }
  rows.posters.push(...(await makePosters(event, 21, earlyOrders)));
  for (const list of Object.values(rows)) list.sort(bySortKey);
});
afterAll(() => service.close());

/** Ties in sort order, and within them ties in age. */
async function makePosters(eventId: string, count: number, orders: number[]): Promise<Row[]> {
  const fields = Array.from({ length: count }, (_, i) => ({
    sort_order: orders[i % orders.length] ?? 0,
    created_at: `2026-01-0${1 + (i % 2)}T00:00:00.000Z`,
  }));
  const ids = await make.posters(eventId, fields);
  return ids.map((id, i) => ({ id, sortKey: [fields[i]?.sort_order ?? 0, fields[i]?.created_at ?? ""] }));
}

function bySortKey(a: Row, b: Row): number {
  for (const [i, value] of [...a.sortKey, a.id].entries()) {
    const other = [...b.sortKey, b.id][i] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

const ids = (list: Row[]) => list.map(({ id }) => id);

async function getPage(tier: Tier, path: string, query: Record<string, string>): Promise<Page> {
  const reply = await service.call(`${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`, {
    key: keys[tier],
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** Walks a list page by page and returns the ids it gave. Stops early at the first row of another test. */
async function walk(
  tier: Tier,
  path: string,
  size: number,
  options: { own?: Set<string>; afterPage?: (page: Page) => Promise<unknown> } = {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await getPage(tier, path, { limit: String(size), ...(cursor === null ? {} : { cursor }) });
    const { has_more, next_cursor, count } = page.pagination;
    expect(count).toBe(page.items.length);
    expect(has_more).toBe(next_cursor !== null);
    if (has_more) expect(count).toBe(Math.min(size, 200));
    for (const { id } of page.items) {
      if (options.own !== undefined && !options.own.has(id)) return seen;
      seen.push(id);
    }
    cursor = next_cursor;
    await options.afterPage?.(page);
  } while (cursor !== null);
  return seen;
}

const everyTier: Tier[] = ["super-admin", "conference", "organization"];
/** Every list with every kind of filter, for each tier that has more than one page of it. */
const lists: { name: string; path: () => string; rows: keyof typeof rows; tiers: Tier[] }[] = [
  {
    name: "conferences",
    path: () => "/api/svc/conferences",
    rows: "conferences",
    tiers: ["super-admin", "organization"],
  },
  { name: "events", path: () => `/api/svc/conferences/${conference}/events`, rows: "events", tiers: everyTier },
  {
    name: "events of a category",
    path: () => `/api/svc/conferences/${conference}/events?category=mainline`,
    rows: "events",
    tiers: everyTier,
  },
  { name: "posters", path: () => "/api/svc/posters", rows: "posters", tiers: everyTier },
  { name: "published posters", path: () => "/api/svc/posters?published=true", rows: "posters", tiers: everyTier },
  {
    name: "posters of a conference",
    path: () => `/api/svc/posters?conference_id=${conference}`,
    rows: "posters",
    tiers: everyTier,
  },
  {
    name: "published posters of a conference",
    path: () => `/api/svc/posters?conference_id=${conference}&published=true`,
    rows: "posters",
    tiers: everyTier,
  },
  { name: "posters by event_id", path: () => `/api/svc/posters?event_id=${event}`, rows: "posters", tiers: everyTier },
  { name: "posters of an event", path: () => `/api/svc/events/${event}/posters`, rows: "posters", tiers: everyTier },
];

describe.each(lists.flatMap((list) => list.tiers.map((tier) => ({ ...list, tier }))))(
  "$name with a $tier key",
  ({ path, rows: kind, tier }) => {
    it.each([1, 2, 7, 50])("gives every row once and in order, %i at a time", async (size) => {
      const own = new Set(ids(rows[kind]));
      expect(await walk(tier, path(), size, { own })).toEqual(ids(rows[kind]));
    });
  },
);

describe("page size", () => {
  let longEvent: string;
  let expected: string[];

  beforeAll(async () => {
    longEvent = await make.event(conference, { hosts: [organization], category: "vip" });
    expected = ids((await makePosters(longEvent, 430, [1, 2, 3])).sort(bySortKey));
  });

  it.each([3, 50, 200, 1000])("limit=%i walks 430 rows", async (size) => {
    const tiers = size === 3 ? everyTier.slice(2) : everyTier;
    for (const tier of tiers) expect(await walk(tier, `/api/svc/events/${longEvent}/posters`, size)).toEqual(expected);
  });

  it.each([
    ["left out", "", 50],
    ["200", "?limit=200", 200],
    ["201", "?limit=201", 200],
    ["far above 200", "?limit=99999999999999999999", 200],
    ["1", "?limit=1", 1],
    ["with leading zeros", "?limit=007", 7],
  ])("a limit %s gives pages as decided", async (_name, query, count) => {
    const reply = await service.call(`/api/svc/events/${longEvent}/posters${query}`, { key: keys["super-admin"] });
    expect(reply.json.pagination).toMatchObject({ count, has_more: true });
    expect(reply.json.items).toHaveLength(count);
  });

  it.each([
    "0",
    "-1",
    "1.5",
    "abc",
    "",
    "1e2",
    "+1",
    "%201",
    "1%20",
    "0x10",
    "٥",
    "NaN",
    "null",
    "00",
    "5&limit=6",
    "5&limit=5",
  ])("limit=%s is a 400 that names it", async (value) => {
    for (const path of ["conferences", `conferences/${conference}/events`, "posters", `events/${event}/posters`]) {
      const reply = await service.call(`/api/svc/${path}?limit=${value}`, { key: keys["super-admin"] });
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatch(/^limit: expects (a|one) whole number/);
    }
  });

  it("a last page that is exactly full says that it is the last", async () => {
    const small = await make.event(conference, { category: "vip" });
    await make.posters(small, [{}, {}, {}]);
    const path = `/api/svc/events/${small}/posters`;
    const full = await getPage("super-admin", path, { limit: "3" });
    expect(full.pagination).toEqual({ has_more: false, next_cursor: null, count: 3 });
    const first = await getPage("super-admin", path, { limit: "2" });
    const last = await getPage("super-admin", path, { limit: "2", cursor: first.pagination.next_cursor ?? "" });
    expect(last.pagination).toEqual({ has_more: false, next_cursor: null, count: 1 });
  });

  it("an empty list is one empty page", async () => {
    const empty = await make.event(conference, { category: "vip" });
    const page = await getPage("conference", `/api/svc/events/${empty}/posters`, {});
    expect(page).toEqual({ items: [], pagination: { has_more: false, next_cursor: null, count: 0 } });
  });
});

describe("while rows come and go", () => {
  it.each(everyTier)("posters: none is skipped or given twice (%s)", async (tier) => {
    const busy = await make.event(conference, { hosts: [organization], category: "vip" });
    const original = await make.posters(
      busy,
      Array.from({ length: 60 }, (_, i) => ({ sort_order: i % 4 })),
    );
    const deleted = new Set<string>();
    const afterPage = async (page: Page) => {
      // The row that the cursor stands on, one that was given, and one that may still come.
      const doomed = [page.items.at(-1)?.id, page.items[0]?.id, original[deleted.size]].filter(
        (id) => id !== undefined,
      );
      for (const id of doomed) deleted.add(id);
      await service.db.query(sql`delete from posters where id = any(${doomed})`);
      await make.posters(busy, [{ sort_order: 0 }, { sort_order: 2 }, { sort_order: -5 }]);
    };
    const seen = await walk(tier, `/api/svc/events/${busy}/posters`, 5, { afterPage });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(original.filter((id) => !deleted.has(id))));
  });

  it("events and conferences: none is skipped or given twice while a writer runs beside the walk", async () => {
    const host = await make.organization();
    keys.organization = await make.organizationKey(host);
    const place = await make.conference();
    const conferences = [place];
    for (let i = 0; i < 12; i++) conferences.push(await make.conference({ start_date: `2031-06-0${1 + (i % 3)}` }));
    const events: string[] = [];
    for (const id of conferences) events.push(await make.event(id, { hosts: [host] }));
    for (let i = 0; i < 24; i++) events.push(await make.event(place, { hosts: [host] }));
    const lasting = events.filter((_, i) => i > 12);

    let running = true;
    const writer = (async () => {
      while (running) {
        const id = await make.conference({ start_date: "2031-06-02" });
        const passing = await make.event(place, { hosts: [host] });
        await make.event(id, { hosts: [host] });
        await service.db.query(sql`delete from events where id = ${passing}`);
        await service.db.query(sql`delete from conferences where id = ${id}`);
      }
    })();
    try {
      for (let round = 0; round < 4; round++) {
        const seenEvents = await walk("organization", `/api/svc/conferences/${place}/events`, 3);
        expect(new Set(seenEvents).size).toBe(seenEvents.length);
        expect(seenEvents).toEqual(expect.arrayContaining(lasting));
        const seenConferences = await walk("organization", "/api/svc/conferences", 2);
        expect(new Set(seenConferences).size).toBe(seenConferences.length);
        expect(seenConferences).toEqual(expect.arrayContaining(conferences));
      }
    } finally {
      running = false;
      await writer;
    }
  });

  it("a list whose rest is deleted ends with an empty page", async () => {
    const shrinking = await make.event(conference, { category: "vip" });
    await make.posters(shrinking, [{ sort_order: 1 }, { sort_order: 2 }]);
    const path = `/api/svc/events/${shrinking}/posters`;
    const first = await getPage("super-admin", path, { limit: "1" });
    await service.db.query(sql`delete from posters where event_id = ${shrinking}`);
    const rest = await getPage("super-admin", path, { cursor: first.pagination.next_cursor ?? "" });
    expect(rest).toEqual({ items: [], pagination: { has_more: false, next_cursor: null, count: 0 } });
  });
});

describe("any sort order", () => {
  it("survives the way through a cursor, down to the last bit", async () => {
    const order = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (orders, size) => {
          const id = await make.event(conference, { category: "vip" });
          try {
            const posters = await make.posters(
              id,
              orders.map((sort_order) => ({ sort_order })),
            );
            const list = posters.map((poster, i) => ({ id: poster, sortKey: [(orders[i] ?? 0) + 0] }));
            expect(await walk("super-admin", `/api/svc/events/${id}/posters`, size)).toEqual(ids(list.sort(bySortKey)));
          } finally {
            await service.db.query(sql`delete from events where id = ${id}`);
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("a cursor", () => {
  const refusal = /^cursor: expects the next_cursor of a page of this same list/;
  let cursor: string;
  const path = () => `/api/svc/events/${event}/posters`;

  beforeAll(async () => {
    cursor = (await getPage("super-admin", path(), { limit: "2" })).pagination.next_cursor ?? "";
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  async function expectRefused(target: string, values: string[], tier: Tier = "super-admin"): Promise<void> {
    await Promise.all(
      values.map(async (value) => {
        const query = new URLSearchParams({ cursor: value });
        const reply = await service.call(`${target}${target.includes("?") ? "&" : "?"}${query}`, { key: keys[tier] });
        expect(reply.status, value).toBe(400);
        expect(reply.json.error).toMatch(refusal);
      }),
    );
  }

  it("with any one character changed is refused", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const changed = [...cursor].flatMap((character, i) => {
      const at = alphabet.indexOf(character);
      // The neighbour differs only in bits that a careless decoder drops at the end.
      return [alphabet[(at + 1) % 64], alphabet[(at + 32) % 64]].map(
        (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
      );
    });
    await expectRefused(path(), changed);
  });

  it("cut short anywhere is refused, and so is the empty one", async () => {
    await expectRefused(
      path(),
      Array.from({ length: cursor.length }, (_, i) => cursor.slice(0, i)),
    );
  });

  it("with something added, or written in another alphabet, is refused", async () => {
    await expectRefused(path(), [
      ...["A", "AA", "=", "==", "\n", " ", "\0", "%", "é"].map((end) => cursor + end),
      ` ${cursor}`,
      cursor + cursor,
      cursor.toUpperCase(),
      Buffer.from(cursor, "base64url").toString("hex"),
      Buffer.from(JSON.stringify(["0", start, event])).toString("base64url"),
      "null",
      "0",
      "'; drop table posters; --",
    ]);
  });

  it("of one list opens no other", async () => {
    const other = await make.event(conference, { category: "vip" });
    const elsewhere = await make.conference();
    await expectRefused(`/api/svc/posters?event_id=${event}`, [cursor]);
    await expectRefused("/api/svc/posters", [cursor]);
    await expectRefused(`/api/svc/events/${other}/posters`, [cursor]);
    await expectRefused(`${path()}?published=true`, [cursor]);
    await expectRefused(`${path()}?published=false`, [cursor]);
    await expectRefused("/api/svc/conferences", [cursor]);

    const events = `/api/svc/conferences/${conference}/events`;
    const ofEvents = (await getPage("super-admin", events, { limit: "1" })).pagination.next_cursor ?? "";
    await expectRefused(`/api/svc/conferences/${elsewhere}/events`, [ofEvents]);
    await expectRefused(`${events}?category=vip`, [ofEvents]);
    await expectRefused("/api/svc/conferences", [ofEvents]);
    await expectRefused(path(), [ofEvents]);

    const posters = `/api/svc/posters?conference_id=${conference}`;
    const ofPosters = (await getPage("super-admin", posters, { limit: "1" })).pagination.next_cursor ?? "";
    await expectRefused("/api/svc/posters", [ofPosters]);
    await expectRefused(`/api/svc/posters?conference_id=${elsewhere}`, [ofPosters]);
    await expectRefused(`${posters}&event_id=${event}`, [ofPosters]);
  });

  it("works with another page size, with another key that sees the list, and as often as wanted", async () => {
    const expected = ids(rows.posters).slice(2);
    for (const tier of ["super-admin", "conference"] as const) {
      const page = await getPage(tier, path(), { cursor, limit: "200" });
      expect(page.items.map(({ id }) => id)).toEqual(expected);
    }
  });

  it("given twice is refused", async () => {
    const reply = await service.call(`${path()}?cursor=${cursor}&cursor=${cursor}`, { key: keys["super-admin"] });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(/^cursor: /);
  });

  it("shows nothing of what it was not made for: an unknown list stays unknown", async () => {
    const reply = await service.call(`/api/svc/events/${randomUUID()}/posters?cursor=${cursor}`, {
      key: keys["super-admin"],
    });
    expect(reply.status).toBe(400);
  });
});
