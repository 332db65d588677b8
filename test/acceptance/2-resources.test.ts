import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { expectField } from "./expect-field.js";
import { specTable } from "./spec-table.js";

// Section 2 of the specification: the tables are copied from it, and every row is a test. The rows of the database are
// made such that each status, category and tier occurs, and each nullable field with and without a value.

type Item = Record<string, unknown>;

const { service, db, make } = useService();
let organization: string;
let key: string;
let conference: string;
let event: string;

beforeAll(async () => {
  organization = await make.organization();
  key = await make.organizationKey(organization);
  conference = await createConferences();
  event = await createEvents(conference);
  await createPosters(event);
});

const read = async (path: string) => {
  const reply = await service.call(`/api/svc/${path}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const itemsOf = async (path: string): Promise<Item[]> => (await read(path)).items;

describe("2.1 Conference", () => {
  let items: Item[];
  beforeAll(async () => {
    items = await itemsOf("conferences");
  });

  it.each(
    specTable(`
      | Field | Type | Notes |
      |---|---|---|
      | id | uuid | |
      | name | string | |
      | slug | string | |
      | short_name | string | |
      | description | string | |
      | city | string | |
      | start_date | string | date, YYYY-MM-DD |
      | end_date | string | date, YYYY-MM-DD |
      | timezone | string | IANA time zone name |
      | status | string | \`approved\` or \`published\` |
      | category | string | \`mainline\`, \`community\`, \`vip\` |
      | banner_thumbnail_url | string or null | |
      | created_at | string | timestamp |`),
  )("%s: %s %s", (...row) => expectField(row, valuesOf(items, row)));
});

describe("2.2 EventSummary", () => {
  let items: Item[];
  beforeAll(async () => {
    items = await itemsOf(`conferences/${conference}/events`);
  });

  it.each(
    specTable(`
      | Field | Type | Notes |
      |---|---|---|
      | id | uuid | |
      | name | string | |
      | start_time | string | ISO 8601 timestamp |
      | end_time | string | ISO 8601 timestamp |
      | timezone | string | IANA time zone name |
      | venue | string or null | |
      | venue_address | string or null | |
      | status | string | \`approved\` or \`published\` |
      | category | string | \`mainline\`, \`community\`, \`sponsored\`, \`vip\` |
      | tier | string or null | \`headline\`, \`vip\`, \`community\` |
      | description | string or null | |
      | luma_url | string or null | link to the event on the external ticketing platform |
      | tile_image_url | string or null | |
      | conference_id | uuid | |
      | created_at | string | timestamp |`),
  )("%s: %s %s", (...row) => expectField(row, valuesOf(items, row)));

  it("conference_id: the conference whose events were asked for", () => {
    expect(new Set(items.map(({ conference_id }) => conference_id))).toEqual(new Set([conference]));
  });
});

describe("2.3 Poster", () => {
  let items: Item[];
  beforeAll(async () => {
    items = await itemsOf(`events/${event}/posters`);
  });

  it.each(
    specTable(`
      | Field | Type | Notes |
      |---|---|---|
      | id | uuid | unique poster id |
      | event_id | uuid | event the poster belongs to |
      | conference_id | uuid or null | conference of that event |
      | image_url | string | full-resolution image URL |
      | thumbnail_url | string or null | smaller image URL |
      | title | string or null | event name or featured speaker name |
      | published | boolean | true when published and visible to attendees |
      | sort_order | number | display order |
      | metadata | object | free-form JSON: may hold poster style, speakers, generation details |
      | posted_urls | object or null | map of platform name to URL, set after social sharing |
      | created_at | string | ISO 8601 timestamp |`),
  )("%s: %s %s", (...row) => expectField(row, valuesOf(items, row)));

  it("id: unique, and the id under which the one poster is read, with the same fields", async () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const item of items) expect(await read(`posters/${item.id}`)).toEqual(item);
  });

  it("event_id and conference_id: the event of the poster and its conference", () => {
    for (const item of items) expect(item).toMatchObject({ event_id: event, conference_id: conference });
  });

  it("published: both values", () => {
    expect(new Set(items.map(({ published }) => published))).toEqual(new Set([true, false]));
  });

  it("sort_order: the order in which posters are listed", () => {
    expect(items.map(({ sort_order }) => sort_order)).toEqual([1, 2.5]);
  });

  it("metadata: free-form JSON, as stored", () => {
    expect(items.map(({ metadata }) => metadata)).toEqual([{ style: "bold", speakers: ["Ada"], seed: 7 }, {}]);
  });

  it("posted_urls: a map of platform name to URL, null before any was set", () => {
    expect(items.map(({ posted_urls }) => posted_urls)).toEqual([{ x: "https://x.example/1" }, null]);
  });
});

describe.each(
  specTable(`
    | Path |
    |---|
    | /api/svc/conferences |
    | /api/svc/conferences/{id}/events |
    | /api/svc/posters |
    | /api/svc/events/{id}/posters |`),
)("2.4 Page envelope of %s", (listPath) => {
  let pages: { items: Item[]; pagination: Item }[];
  beforeAll(async () => {
    const path = listPath
      .replace("conferences/{id}", `conferences/${conference}`)
      .replace("events/{id}", `events/${event}`)
      .replace("/api/svc/", "");
    pages = await readPages(`${path}?limit=1`);
  });

  it.each(
    specTable(`
      | Field | Type | Notes |
      |---|---|---|
      | items | array | results of the page |
      | pagination.has_more | boolean | false on the last page |
      | pagination.next_cursor | string or null | opaque cursor for the next page |
      | pagination.count | number | number of items in this page |`),
  )("%s: %s %s", (...row) => {
    const [field = ""] = row;
    const valueIn = (page: Item) => field.split(".").reduce((value: unknown, name) => (value as Item)[name], page);
    expectField(row, pages.map(valueIn));
  });

  it("pagination.has_more: false on the last page, true on every page before", () => {
    const hasMore = pages.map(({ pagination }) => pagination.has_more);
    expect(hasMore).toEqual([...Array(pages.length - 1).fill(true), false]);
  });

  it("pagination.next_cursor: null on the last page only", () => {
    const ends = pages.map(({ pagination }) => pagination.next_cursor === null);
    expect(ends).toEqual([...Array(pages.length - 1).fill(false), true]);
  });

  it("pagination.count: the number of items in this page", () => {
    for (const { items, pagination } of pages) expect(pagination.count).toBe(items.length);
  });
});

/** The field's value in every item; each must have it. */
function valuesOf(items: Item[], [field = ""]: string[]): unknown[] {
  expect(items.length).toBeGreaterThan(1);
  for (const item of items) expect(Object.keys(item)).toContain(field);
  return items.map((item) => item[field]);
}

async function readPages(path: string): Promise<{ items: Item[]; pagination: Item }[]> {
  const pages = [await read(path)];
  while (pages.at(-1).pagination.has_more) {
    pages.push(await read(`${path}&cursor=${encodeURIComponent(pages.at(-1).pagination.next_cursor)}`));
  }
  return pages;
}

async function createConferences(): Promise<string> {
  const ids = [];
  for (const status of ["draft", "approved", "published", "archived"]) {
    for (const category of ["mainline", "community", "vip"]) {
      const id = await make.conference({ status });
      const banner = category === "vip" ? null : "https://images.example.com/banner.png";
      await db.query(
        sql`update conferences set category = ${category}, banner_thumbnail_url = ${banner} where id = ${id}`,
      );
      await make.event(id, { hosts: [organization] });
      if (status === "published") ids.push(id);
    }
  }
  return ids[0] ?? "";
}

async function createEvents(conferenceId: string): Promise<string> {
  const tiers = ["headline", "vip", "community"];
  for (const status of ["draft", "approved", "published", "archived"]) {
    for (const [index, category] of ["mainline", "community", "sponsored", "vip"].entries()) {
      const id = await make.event(conferenceId, { status, category, hosts: [organization] });
      if (status === "approved") continue;
      await db.query(sql`
        update events set tier = ${tiers[index] ?? null}, venue = 'Hall 2', venue_address = '1 Quay', description = 'Talks',
          luma_url = 'https://tickets.example.com/e', tile_image_url = 'https://images.example.com/tile.png'
        where id = ${id}`);
    }
  }
  return make.event(conferenceId, { hosts: [organization] });
}

async function createPosters(eventId: string): Promise<void> {
  const posted = await make.poster(eventId, { sort_order: 1 });
  const draft = await make.poster(eventId, { sort_order: 2.5, published: false });
  await db.query(sql`
    update posters set thumbnail_url = 'https://images.example.com/small.png', posted_urls = '{"x": "https://x.example/1"}',
      metadata = '{"style": "bold", "speakers": ["Ada"], "seed": 7}'
    where id = ${posted}`);
  await db.query(sql`update posters set title = null where id = ${draft}`);
}
