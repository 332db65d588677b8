import type { FastifyInstance } from "fastify";
import sql, { type Sql } from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import { createLog } from "../../src/infra/observability/log.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { publicUrl } from "../support/service.js";
import { createWorld, type World } from "./freshness-world.js";

/** After every kind of change, every response is compared with that of a service without a cache. */

const fresh = useFreshDatabase();
let world: World;
let cached: FastifyInstance;
let uncached: FastifyInstance;

beforeAll(async () => {
  world = await createWorld(fresh.db);
  const start = (cacheBytes: number) => {
    const limits = { rest: 1e9, mcp: 1e9, ticketing: 1e9 };
    const config = { ...loadConfig({}), publicUrl, limits, cacheBytes, logLevel: "silent" as const };
    return buildApp(config, fresh.db, createLog("silent"));
  };
  cached = start(64_000_000);
  uncached = start(0);
});
afterAll(async () => {
  await cached.close();
  await uncached.close();
});

const conference = (place: number) => world.conferences[place]?.id;
const event = (place: number) => world.events[place]?.id;
const poster = (place: number) => world.posters[place]?.id;
const organization = (place: number) => world.organizations[place];

/** Of the first conference and its first event, the last event of the last, and whatever is asked for together. */
function urls(): string[] {
  const filters = [
    ...["", "published=true", `event_id=${event(0)}`, `conference_id=${conference(0)}`],
    ...[`conference_id=${conference(2)}`, `conference_id=${conference(2)}&event_id=${event(0)}`],
  ];
  return [
    "/api/svc/conferences",
    ...[0, 2].map((place) => `/api/svc/conferences/${conference(place)}/events`),
    `/api/svc/conferences/${conference(0)}/events?category=vip`,
    ...filters.map((filter) => `/api/svc/posters?limit=200&${filter}`),
    ...[0, 11].map((place) => `/api/svc/events/${event(place)}/posters`),
    ...[0, 23].map((place) => `/api/svc/posters/${poster(place)}`),
  ];
}

const changes: [name: string, statement: () => Sql][] = [
  ["a conference is renamed", () => sql`update conferences set name = 'New' where id = ${conference(0)}`],
  ["a conference is moved", () => sql`update conferences set start_date = '2031-01-01' where id = ${conference(2)}`],
  ["a conference is archived", () => sql`update conferences set status = 'archived' where id = ${conference(0)}`],
  ["a conference is published", () => sql`update conferences set status = 'published' where id = ${conference(0)}`],
  ["an event is renamed", () => sql`update events set name = 'New' where id = ${event(0)}`],
  ["all events are renamed", () => sql`update events set name = 'All'`],
  ["an event is withdrawn", () => sql`update events set status = 'draft' where id = ${event(0)}`],
  ["an event is published", () => sql`update events set status = 'published' where id = ${event(0)}`],
  ["an event has another category", () => sql`update events set category = 'vip' where id = ${event(0)}`],
  ["an event is earlier", () => sql`update events set start_time = '2031-04-01Z' where id = ${event(0)}`],
  [
    "an event moves to another conference",
    () => sql`update events set conference_id = ${conference(2)} where id = ${event(0)}`,
  ],
  ["an event moves back", () => sql`update events set conference_id = ${conference(0)} where id = ${event(0)}`],
  [
    "a host is added",
    () => sql`
      insert into event_hosts (event_id, organization_id, role) values (${event(0)}, ${organization(1)}, 'co_host')`,
  ],
  [
    "a host is removed",
    () => sql`delete from event_hosts where event_id = ${event(0)} and organization_id = ${organization(1)}`,
  ],
  ["a poster is renamed", () => sql`update posters set title = 'New' where id = ${poster(0)}`],
  ["a poster is withdrawn", () => sql`update posters set published = false where id = ${poster(0)}`],
  ["a poster is the last", () => sql`update posters set sort_order = 7 where id = ${poster(0)}`],
  [
    "a poster is posted",
    () => sql`update posters set posted_urls = '{"x": "https://x.com/1"}' where id = ${poster(23)}`,
  ],
  [
    "a poster is added",
    () => sql`insert into posters (event_id, image_url) values (${event(0)}, 'https://example.com/a.png')`,
  ],
  ["the posters of an event are deleted", () => sql`delete from posters where event_id = ${event(0)}`],
  ["an event is deleted", () => sql`delete from events where id = ${event(11)}`],
  ["an organization hosts nothing", () => sql`delete from event_hosts where organization_id = ${organization(0)}`],
  [
    "an event is added",
    () => sql`
      insert into events (conference_id, name, start_time, end_time, timezone, status, category)
      values (${conference(0)}, 'Added', '2031-06-01Z', '2031-06-02Z', 'UTC', 'approved', 'vip')`,
  ],
  ["a conference is deleted", () => sql`delete from conferences where id = ${conference(2)}`],
  ["all conferences are deleted", () => sql`delete from conferences`],
];

/** What the cache holds, each response read twice: once when it was stored, and once from the cache. */
let before: Responses;
beforeAll(async () => {
  before = await readAll(cached);
});

it.each(changes)("%s", async (_name, statement) => {
  await fresh.db.query(statement());
  const expected = await readAll(uncached);
  expect(await readAll(cached)).toEqual(expected);
  expect(expected).not.toEqual(before);
  before = expected;
});

type Responses = Record<string, { status: number; body: string; link: unknown }>;

/** The responses to all URLs with one key of each view. */
async function readAll(app: FastifyInstance): Promise<Responses> {
  const views = new Map(world.keys.map((key) => [`${key.tier} ${key.of}`, key.key]));
  const responses: Responses = {};
  const read = async (view: string, key: string, url: string) => {
    const { statusCode, body, headers } = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
    const withoutRequestId = statusCode === 200 ? body : (JSON.parse(body).error.message as string);
    responses[`${view} ${url}`] = { status: statusCode, body: withoutRequestId, link: headers.link };
  };
  for (const [view, key] of views) await Promise.all(urls().map((url) => read(view, key, url)));
  return responses;
}
