import fc from "fast-check";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { getPage, type Page, readList } from "../support/pages.js";
import { useService } from "../support/setup.js";

type Tier = "super-admin" | "conference" | "organization";
type Row = { id: string; sortKey: (string | number)[] };

const { service, db, make } = useService();
let organization: string;
let keys: Record<Tier, string>;
let conference: string;
let event: string;
const rows: Record<"conferences" | "events" | "posters", Row[]> = { conferences: [], events: [], posters: [] };

/** Sort keys before those of all other tests, so that the rows come first in the lists of a super-admin key. */
const earlyDates = ["1000-01-01", "1000-01-02", "1000-01-03"];
const earlyOrders = [-3e12, -2e12, -1e12];
const start = "2031-05-01T18:00:00Z";

beforeAll(async () => {
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
  // 21 rows per list, 7 for each sort key, so that pages begin and end within ties.
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

/** Posters with ties in `sort_order`, and within them in `created_at`. */
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

const readListAs = (tier: Tier, path: string, size: number, options: Parameters<typeof readList>[4] = {}) =>
  readList(service, keys[tier], path, size, options);

const everyTier: Tier[] = ["super-admin", "conference", "organization"];
/** Every list with every kind of filter, for each tier that sees more than one page. */
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
    it("returns every row once and in order", async () => {
      const own = new Set(ids(rows[kind]));
      expect(await readListAs(tier, path(), 4, { own })).toEqual(ids(rows[kind]));
    });
  },
);

describe("Link", () => {
  it("leads from page to page with the same filters, and is absent on the last one", async () => {
    const seen: string[] = [];
    let next: string | undefined = `/api/svc/posters?event_id=${event}&limit=8&published=true&unknown=1`;
    for (let page = 1; next !== undefined; page++) {
      const reply = await service.call(next, { key: keys.organization });
      seen.push(...reply.json.items.map(({ id }: { id: string }) => id));
      const link: string | null = reply.headers.get("link");
      expect(link === null).toBe(!reply.json.pagination.has_more);
      expect(link === null).toBe(page === 3);
      next = /^<https:\/\/svc\.test(\/api\/svc\/posters\?[^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
      if (next !== undefined) {
        expect(Object.fromEntries(new URLSearchParams(next.split("?")[1]))).toEqual({
          event_id: event,
          limit: "8",
          published: "true",
          cursor: reply.json.pagination.next_cursor,
        });
      }
    }
    expect(seen).toEqual(ids(rows.posters));
  });
});

describe("page size", () => {
  let longEvent: string;
  let expected: string[];

  beforeAll(async () => {
    longEvent = await make.event(conference, { hosts: [organization], category: "vip" });
    expected = ids((await makePosters(longEvent, 230, [1, 2, 3])).sort(bySortKey));
  });

  it("limit=1000 pages through 230 rows", async () => {
    expect(await readListAs("organization", `/api/svc/events/${longEvent}/posters`, 1000)).toEqual(expected);
  });

  it.each([1, 3])("limit=%i pages through 21 rows", async (size) => {
    expect(await readListAs("organization", `/api/svc/events/${event}/posters`, size)).toEqual(ids(rows.posters));
    const own = new Set(ids(rows.conferences));
    expect(await readListAs("super-admin", "/api/svc/conferences", size, { own })).toEqual(ids(rows.conferences));
  });

  it.each([
    ["omitted", "", 50],
    ["200", "?limit=200", 200],
    ["201", "?limit=201", 200],
    ["far above 200", "?limit=99999999999999999999", 200],
    ["1", "?limit=1", 1],
    ["with leading zeros", "?limit=007", 7],
  ])("limit %s", async (_name, query, count) => {
    const reply = await service.call(`/api/svc/events/${longEvent}/posters${query}`, { key: keys["super-admin"] });
    expect(reply.json.pagination).toMatchObject({ count, has_more: true });
    expect(reply.json.items).toHaveLength(count);
  });

  it("an invalid limit is a 400 that names it", async () => {
    const refused = [
      "0",
      "-1",
      "1.5",
      "abc",
      "1e2",
      "+1",
      "%201",
      "1%20",
      "0x10",
      "٥",
      "NaN",
      "null",
      "00",
      "5&limit=5",
    ];
    const lists = ["conferences", `conferences/${conference}/events`, "posters", `events/${event}/posters`];
    for (const [index, value] of refused.entries()) {
      const path = `/api/svc/${lists[index % lists.length]}?limit=${value}`;
      const reply = await service.call(path, { key: keys["super-admin"] });
      expect(reply.status, path).toBe(400);
      expect(reply.json.error, path).toMatch(
        value.includes("&")
          ? /^limit: expected once, but it is given 2 times$/
          : /^limit: expected an integer from 1; more than 200 counts as 200$/,
      );
    }
  });

  it("a full last page has no next cursor", async () => {
    const small = await make.event(conference, { category: "vip" });
    await make.posters(small, [{}, {}, {}]);
    const path = `/api/svc/events/${small}/posters`;
    const full = await getPage(service, keys["super-admin"], path, { limit: "3" });
    expect(full.pagination).toEqual({ has_more: false, next_cursor: null, count: 3 });
    const first = await getPage(service, keys["super-admin"], path, { limit: "2" });
    const last = await getPage(service, keys["super-admin"], path, {
      limit: "2",
      cursor: first.pagination.next_cursor ?? "",
    });
    expect(last.pagination).toEqual({ has_more: false, next_cursor: null, count: 1 });
  });
});

describe("concurrent changes", () => {
  it("posters: none is skipped or repeated", async () => {
    const busy = await make.event(conference, { hosts: [organization], category: "vip" });
    const original = await make.posters(
      busy,
      Array.from({ length: 30 }, (_, i) => ({ sort_order: i % 4 })),
    );
    const deleted = new Set<string>();
    const afterPage = async (page: Page) => {
      // The row at the cursor, one that was returned, and one that may not have been returned yet.
      const doomed = [page.items.at(-1)?.id, page.items[0]?.id, original[deleted.size]].filter(
        (id) => id !== undefined,
      );
      for (const id of doomed) deleted.add(id);
      await db.query(sql`delete from posters where id = any(${doomed})`);
      await make.posters(busy, [{ sort_order: 0 }, { sort_order: 2 }, { sort_order: -5 }]);
    };
    const seen = await readListAs("organization", `/api/svc/events/${busy}/posters`, 5, { afterPage });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(original.filter((id) => !deleted.has(id))));
  });

  it("events and conferences: none is skipped or repeated while rows are inserted and deleted", async () => {
    const host = await make.organization();
    keys.organization = await make.organizationKey(host);
    const place = await make.conference();
    const conferences = [place];
    for (let i = 0; i < 6; i++) conferences.push(await make.conference({ start_date: `2031-06-0${1 + (i % 3)}` }));
    const events: string[] = [];
    for (const id of conferences) events.push(await make.event(id, { hosts: [host] }));
    for (let i = 0; i < 12; i++) events.push(await make.event(place, { hosts: [host] }));
    const lasting = events.slice(conferences.length);

    let running = true;
    const writer = (async () => {
      while (running) {
        const id = await make.conference({ start_date: "2031-06-02" });
        const passing = await make.event(place, { hosts: [host] });
        await make.event(id, { hosts: [host] });
        await db.query(sql`delete from events where id = ${passing}`);
        await db.query(sql`delete from conferences where id = ${id}`);
      }
    })();
    try {
      for (let round = 0; round < 2; round++) {
        const seenEvents = await readListAs("organization", `/api/svc/conferences/${place}/events`, 3);
        expect(new Set(seenEvents).size).toBe(seenEvents.length);
        expect(seenEvents).toEqual(expect.arrayContaining(lasting));
        const seenConferences = await readListAs("organization", "/api/svc/conferences", 2);
        expect(new Set(seenConferences).size).toBe(seenConferences.length);
        expect(seenConferences).toEqual(expect.arrayContaining(conferences));
      }
    } finally {
      running = false;
      await writer;
    }
  });

  it("a list whose remaining rows are deleted ends with an empty page", async () => {
    const shrinking = await make.event(conference, { category: "vip" });
    await make.posters(shrinking, [{ sort_order: 1 }, { sort_order: 2 }]);
    const path = `/api/svc/events/${shrinking}/posters`;
    const first = await getPage(service, keys["super-admin"], path, { limit: "1" });
    await db.query(sql`delete from posters where event_id = ${shrinking}`);
    const rest = await getPage(service, keys["super-admin"], path, { cursor: first.pagination.next_cursor ?? "" });
    expect(rest).toEqual({ items: [], pagination: { has_more: false, next_cursor: null, count: 0 } });
  });
});

describe("any sort order", () => {
  it("is preserved exactly by a cursor", async () => {
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
            expect(await readListAs("super-admin", `/api/svc/events/${id}/posters`, size)).toEqual(
              ids(list.sort(bySortKey)),
            );
          } finally {
            await db.query(sql`delete from events where id = ${id}`);
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
