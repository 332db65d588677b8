import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import { readList } from "../support/pages.js";
import { useService } from "../support/setup.js";

/**
 * What each tier of key sees. There is one row for each case; the two tables give the expected status of each, and every
 * endpoint is compared with them.
 */

const tiers = ["super-admin", "conference", "organization"] as const;
type Tier = (typeof tiers)[number];
type Expected = readonly [superAdmin: number, conference: number, organization: number];

const everyone: Expected = [200, 200, 200];
const notTheOrganization: Expected = [200, 200, 403];
const onlySuperAdmin: Expected = [200, 403, 403];
const notTheConference: Expected = [200, 403, 200];
const nobody: Expected = [404, 404, 404];

const ofConference = {
  own: everyone,
  approved: notTheConference,
  draft: nobody,
  archived: nobody,
  "of others": onlySuperAdmin,
  "where the organization hosts only a draft": onlySuperAdmin,
  unknown: nobody,
} satisfies Record<string, Expected>;

/** The same applies to the posters of an event. */
const ofEvent = {
  "hosted in the own conference": everyone,
  "co-hosted in the own conference": everyone,
  "approved, hosted in the own conference": everyone,
  "of another host in the own conference": notTheOrganization,
  "without hosts in the own conference": notTheOrganization,
  "no longer hosted in the own conference": notTheOrganization,
  "draft, hosted in the own conference": nobody,
  "archived, hosted in the own conference": nobody,
  "co-hosted in the approved conference": notTheConference,
  "of another host in the approved conference": onlySuperAdmin,
  "hosted in the draft conference": nobody,
  "hosted in the archived conference": nobody,
  "in the conference of others": onlySuperAdmin,
  "draft, hosted where nothing else is": nobody,
  unknown: nobody,
} satisfies Record<string, Expected>;

type ConferenceName = keyof typeof ofConference;
type EventName = keyof typeof ofEvent;

const { service, db, make } = useService();
let keys: Record<Tier, string>;
const conferences = {} as Record<ConferenceName, string>;
const events = {} as Record<EventName, { id: string; conference: ConferenceName; poster: string }>;

beforeAll(async () => {
  const [mine, other] = [await make.organization(), await make.organization()];
  conferences.own = await make.conference({ status: "published" });
  conferences.approved = await make.conference({ status: "approved" });
  conferences.draft = await make.conference({ status: "draft" });
  conferences.archived = await make.conference({ status: "archived" });
  conferences["of others"] = await make.conference();
  conferences["where the organization hosts only a draft"] = await make.conference();
  conferences.unknown = randomUUID();

  const add = async (name: EventName, conference: ConferenceName, hosts: string[], status = "published") => {
    const id = await make.event(conferences[conference], { hosts, status });
    events[name] = { id, conference, poster: await make.poster(id) };
  };
  await add("hosted in the own conference", "own", [mine]);
  await add("co-hosted in the own conference", "own", [other, mine]);
  await add("approved, hosted in the own conference", "own", [mine], "approved");
  await add("of another host in the own conference", "own", [other]);
  await add("without hosts in the own conference", "own", []);
  await add("no longer hosted in the own conference", "own", [other, mine]);
  await add("draft, hosted in the own conference", "own", [mine], "draft");
  await add("archived, hosted in the own conference", "own", [mine], "archived");
  await add("co-hosted in the approved conference", "approved", [other, mine]);
  await add("of another host in the approved conference", "approved", [other]);
  await add("hosted in the draft conference", "draft", [mine]);
  await add("hosted in the archived conference", "archived", [mine]);
  await add("in the conference of others", "of others", [other]);
  await add("draft, hosted where nothing else is", "where the organization hosts only a draft", [mine], "draft");
  events.unknown = { id: randomUUID(), conference: "unknown", poster: randomUUID() };
  await db.query(sql`
    delete from event_hosts
    where event_id = ${events["no longer hosted in the own conference"].id} and organization_id = ${mine}`);
  keys = {
    "super-admin": await make.superAdminKey(),
    conference: await make.conferenceKey(conferences.own),
    organization: await make.organizationKey(mine),
  };
});

const get = (tier: Tier, path: string) => service.call(`/api/svc/${path}`, { key: keys[tier] });

/** All ids of a list; for a super-admin key including rows of other tests. */
const listAll = (tier: Tier, path: string) => readList(service, keys[tier], `/api/svc/${path}`);

function eventsSeenBy(tier: Tier, where: (conference: ConferenceName) => boolean = () => true): EventName[] {
  const names = Object.keys(ofEvent) as EventName[];
  return names.filter((name) => ofEvent[name][tiers.indexOf(tier)] === 200 && where(events[name].conference));
}

const refusals: Record<number, (noun: string) => string> = {
  403: (noun) => `This key has no access to this ${noun.toLowerCase()}`,
  404: (noun) => `${noun} not found`,
};

/** In a filter, what nobody sees is no error: there is nothing to show. */
function expectFiltered(reply: Reply, status: number | undefined, noun: string): void {
  if (status === 404) expect(reply.json.items, reply.text).toEqual([]);
  else expectResponse(reply, status, noun);
}

function expectResponse(reply: Reply, status: number | undefined, noun: string): void {
  expect(reply.status, reply.text).toBe(status);
  const code = status === 403 ? "forbidden" : "not_found";
  if (status !== 200) expect(reply.json).toEqual(errorBody(code, refusals[status ?? 0]?.(noun)));
}

describe.each([...tiers.entries()])("key %i (%s)", (index, tier) => {
  it.each(Object.entries(ofConference))("conference %s", async (name, expected) => {
    const id = conferences[name as ConferenceName];
    expectResponse(await get(tier, `conferences/${id}/events?category=mainline`), expected[index], "Conference");
    expectFiltered(await get(tier, `posters?conference_id=${id}`), expected[index], "Conference");
  });

  it.each(Object.entries(ofEvent))("event %s", async (name, expected) => {
    const { id, poster } = events[name as EventName];
    expectResponse(await get(tier, `events/${id}/posters`), expected[index], "Event");
    expectFiltered(await get(tier, `posters?event_id=${id}`), expected[index], "Event");
    expectResponse(await get(tier, `posters/${poster}`), expected[index], "Poster");
    const patch = { key: keys[tier], body: { posted_urls: {} } };
    expectResponse(await service.call(`/api/svc/posters/${poster}`, patch), expected[index], "Poster");
  });

  it("GET conferences lists exactly the visible ones", async () => {
    const names = (Object.keys(ofConference) as ConferenceName[]).filter((name) => ofConference[name][index] === 200);
    const own = new Set(Object.values(conferences));
    const listed = (await listAll(tier, "conferences")).filter((id) => own.has(id));
    expect(listed.sort()).toEqual(names.map((name) => conferences[name]).sort());
  });

  it("GET conferences/:id/events lists exactly the visible ones", async () => {
    for (const [name, expected] of Object.entries(ofConference)) {
      if (expected[index] !== 200) continue;
      const listed = await listAll(tier, `conferences/${conferences[name as ConferenceName]}/events`);
      const seen = eventsSeenBy(tier, (conference) => conference === name).map((event) => events[event].id);
      expect(listed.sort()).toEqual(seen.sort());
    }
  });

  it("GET posters lists exactly the visible ones, with and without a conference filter", async () => {
    const own = new Set(Object.values(events).map(({ poster }) => poster));
    const listed = (await listAll(tier, "posters")).filter((id) => own.has(id));
    expect(listed.sort()).toEqual(
      eventsSeenBy(tier)
        .map((name) => events[name].poster)
        .sort(),
    );
    for (const [name, expected] of Object.entries(ofConference)) {
      if (expected[index] !== 200) continue;
      const inIt = await listAll(tier, `posters?conference_id=${conferences[name as ConferenceName]}`);
      const seen = eventsSeenBy(tier, (conference) => conference === name).map((event) => events[event].poster);
      expect(inIt.sort()).toEqual(seen.sort());
    }
  });
});

it("a filter that names what others see is refused, whatever else it names", async () => {
  const [unknown, others] = [randomUUID(), conferences["of others"]];
  const reply = await get("organization", `posters?event_id=${unknown}&conference_id=${others}`);
  expectResponse(reply, 403, "Conference");
});

it("an event that becomes known after a page without it is refused from then on", async () => {
  const [{ conference }, id] = [events["in the conference of others"], randomUUID()];
  const list = () => get("organization", `posters?event_id=${id}`);
  expect([(await list()).status, (await list()).status]).toEqual([200, 200]);
  await db.query(sql`
    insert into events (id, conference_id, name, start_time, end_time, timezone, status, category)
    select ${id}, conference_id, name, start_time, end_time, timezone, status, category from events
    where id = ${events["in the conference of others"].id}`);
  expect(conference).toBe("of others");
  expectResponse(await list(), 403, "Event");
});

it("an organization sees a conference from when one of its events moves there", async () => {
  const [from, to, organization] = [await make.conference(), await make.conference(), await make.organization()];
  const event = await make.event(from, { hosts: [organization] });
  const key = await make.organizationKey(organization);
  await db.query(sql`update events set conference_id = ${to} where id = ${event}`);
  expect(await readList(service, key, "/api/svc/conferences")).toEqual([to]);
});

describe("a conference key", () => {
  it("filters by its own conference by default", async () => {
    const given = await listAll("conference", `posters?conference_id=${conferences.own}`);
    expect(await listAll("conference", "posters")).toEqual(given);
  });

  it.each(["draft", "archived"] as const)(
    "of a conference that is %s can still ping, but sees nothing",
    async (name) => {
      const conference = conferences[name];
      const key = await make.conferenceKey(conference);
      expect((await service.call("/api/svc/ping", { key })).json.conference_id).toBe(conference);
      // Lists are empty; what a path names is not found.
      for (const list of ["conferences", "posters", "posters?published=true", `posters?conference_id=${conference}`]) {
        const reply = await service.call(`/api/svc/${list}`, { key });
        expect(reply.status, list).toBe(200);
        expect(reply.json).toEqual({ items: [], pagination: { has_more: false, next_cursor: null, count: 0 } });
      }
      expectResponse(await service.call(`/api/svc/conferences/${conference}/events`, { key }), 404, "Conference");
    },
  );
});
