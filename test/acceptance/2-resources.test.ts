import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { expectField } from "./expect-field.js";
import { specTable } from "./spec-table.js";

// Section 2 of the specification: the tables are copied from it, and every row is a test. The rows of the database are
// made such that each status, category and tier occurs, and each nullable field with and without a value. The envelope of
// pages (2.4) is in test/http/paging.test.ts.

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
});

/** The field's value in every item; each must have it. */
function valuesOf(items: Item[], [field = ""]: string[]): unknown[] {
  expect(items.length).toBeGreaterThan(1);
  for (const item of items) expect(Object.keys(item)).toContain(field);
  return items.map((item) => item[field]);
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
