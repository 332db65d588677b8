import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { type Reply, type Service, startService } from "../support/service.js";

/**
 * Who sees what. The world below holds one row of each kind that differs in who sees it; the two tables say the answer
 * for each of them, and every endpoint is held against them.
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

/** The same for an event and for its posters. */
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

let service: Service;
let make: Make;
let keys: Record<Tier, string>;
const conferences = {} as Record<ConferenceName, string>;
const events = {} as Record<EventName, { id: string; conference: ConferenceName; poster: string }>;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
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
  await service.db.query(sql`
    delete from event_hosts
    where event_id = ${events["no longer hosted in the own conference"].id} and organization_id = ${mine}`);
  keys = {
    "super-admin": await make.superAdminKey(),
    conference: await make.conferenceKey(conferences.own),
    organization: await make.organizationKey(mine),
  };
});
afterAll(() => service.close());

const get = (tier: Tier, path: string) => service.call(`/api/svc/${path}`, { key: keys[tier] });
const idsOf = (reply: Reply): string[] => reply.json.items.map((item: { id: string }) => item.id);

/** All ids of a list, page by page; a super-admin's list holds rows of other tests too. */
async function listAll(tier: Tier, path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${cursor}`;
    const reply = await get(tier, `${path}${path.includes("?") ? "&" : "?"}limit=200${next}`);
    expect(reply.status, reply.text).toBe(200);
    ids.push(...idsOf(reply));
    cursor = reply.json.pagination.next_cursor;
  } while (cursor !== null);
  return ids;
}

function eventsSeenBy(tier: Tier, where: (conference: ConferenceName) => boolean = () => true): EventName[] {
  const names = Object.keys(ofEvent) as EventName[];
  return names.filter((name) => ofEvent[name][tiers.indexOf(tier)] === 200 && where(events[name].conference));
}

const refusals: Record<number, (noun: string) => string> = {
  403: (noun) => `This key has no access to this ${noun.toLowerCase()}`,
  404: (noun) => `${noun} not found`,
};

function expectAnswer(reply: Reply, status: number | undefined, noun: string): void {
  expect(reply.status, reply.text).toBe(status);
  if (status !== 200) expect(reply.json).toEqual({ error: refusals[status ?? 0]?.(noun) });
}

describe.each([...tiers.entries()])("key %i (%s)", (index, tier) => {
  it.each(Object.entries(ofConference))("conference %s", async (name, expected) => {
    const id = conferences[name as ConferenceName];
    expectAnswer(await get(tier, `conferences/${id}/events`), expected[index], "Conference");
    expectAnswer(await get(tier, `conferences/${id}/events?category=vip`), expected[index], "Conference");
    expectAnswer(await get(tier, `posters?conference_id=${id}`), expected[index], "Conference");
    expectAnswer(await get(tier, `posters?conference_id=${id}&published=false`), expected[index], "Conference");
  });

  it.each(Object.entries(ofEvent))("event %s", async (name, expected) => {
    const { id, poster } = events[name as EventName];
    expectAnswer(await get(tier, `events/${id}/posters`), expected[index], "Event");
    expectAnswer(await get(tier, `events/${id}/posters?published=false`), expected[index], "Event");
    expectAnswer(await get(tier, `posters?event_id=${id}`), expected[index], "Event");
    expectAnswer(await get(tier, `posters/${poster}`), expected[index], "Poster");
    const patch = { key: keys[tier], body: { posted_urls: {} } };
    expectAnswer(await service.call(`/api/svc/posters/${poster}`, patch), expected[index], "Poster");
  });

  it("GET conferences lists just those that it sees", async () => {
    const names = (Object.keys(ofConference) as ConferenceName[]).filter((name) => ofConference[name][index] === 200);
    const own = new Set(Object.values(conferences));
    const listed = (await listAll(tier, "conferences")).filter((id) => own.has(id));
    expect(listed.sort()).toEqual(names.map((name) => conferences[name]).sort());
  });

  it("GET conferences/:id/events lists just those that it sees", async () => {
    for (const [name, expected] of Object.entries(ofConference)) {
      if (expected[index] !== 200) continue;
      const listed = await listAll(tier, `conferences/${conferences[name as ConferenceName]}/events`);
      const seen = eventsSeenBy(tier, (conference) => conference === name).map((event) => events[event].id);
      expect(listed.sort()).toEqual(seen.sort());
    }
  });

  it("GET posters lists just those that it sees, alone and within a conference", async () => {
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

describe("filters", () => {
  it("category keeps events of that category, for every tier", async () => {
    const organization = await make.organization();
    const conference = await make.conference();
    const byCategory: Record<string, string> = {};
    for (const category of ["mainline", "community", "sponsored", "vip"]) {
      byCategory[category] = await make.event(conference, { category, hosts: [organization] });
    }
    for (const key of [
      keys["super-admin"],
      await make.conferenceKey(conference),
      await make.organizationKey(organization),
    ]) {
      for (const [category, id] of Object.entries(byCategory)) {
        const reply = await service.call(`/api/svc/conferences/${conference}/events?category=${category}`, { key });
        expect(idsOf(reply)).toEqual([id]);
      }
    }
  });

  it.each(["Mainline", "headline", "", "vip&category=vip", "mainline,vip"])("category=%s is a 400", async (value) => {
    const reply = await get("super-admin", `conferences/${conferences.own}/events?category=${value}`);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toBe("category: expects one of mainline, community, sponsored, vip");
  });

  it("published keeps one kind, left out it keeps both, for every tier", async () => {
    const organization = await make.organization();
    const conference = await make.conference();
    const event = await make.event(conference, { hosts: [organization] });
    const shown = await make.poster(event, { published: true, sort_order: 1 });
    const hidden = await make.poster(event, { published: false, sort_order: 2 });
    for (const key of [
      keys["super-admin"],
      await make.conferenceKey(conference),
      await make.organizationKey(organization),
    ]) {
      for (const list of [
        `posters?event_id=${event}`,
        `posters?conference_id=${conference}`,
        `events/${event}/posters?`,
      ]) {
        const ids = async (more: string) => idsOf(await service.call(`/api/svc/${list}${more}`, { key }));
        expect(await ids("")).toEqual([shown, hidden]);
        expect(await ids("&published=true")).toEqual([shown]);
        expect(await ids("&published=false")).toEqual([hidden]);
      }
    }
  });

  it.each(["TRUE", "1", "0", "yes", "", "null", "true&published=true"])("published=%s is a 400", async (value) => {
    for (const list of ["posters?", `events/${events["hosted in the own conference"].id}/posters?`]) {
      const reply = await get("super-admin", `${list}published=${value}`);
      expect(reply.status).toBe(400);
      expect(reply.json.error).toBe("published: expects true or false");
    }
  });

  it.each([
    "x",
    "",
    "00000000",
    "g0000000-0000-4000-8000-000000000000",
    "{00000000-0000-4000-8000-000000000000}",
    "%00",
  ])("a malformed uuid (%s) is a 400 that names its field", async (value) => {
    for (const [path, field] of [
      [`posters?event_id=${value}`, "event_id"],
      [`posters?conference_id=${value}`, "conference_id"],
      ...(value === ""
        ? []
        : [`posters/${value}`, `events/${value}/posters`, `conferences/${value}/events`].map((p) => [p, "id"])),
    ]) {
      const reply = await get("super-admin", path ?? "");
      expect(reply.status, path).toBe(400);
      expect(reply.json.error).toBe(`${field}: expects a uuid`);
    }
  });

  it("a uuid is known in capitals too", async () => {
    const { id, poster } = events["hosted in the own conference"];
    expect(idsOf(await get("organization", `posters?event_id=${id.toUpperCase()}`))).toEqual([poster]);
    expect((await get("organization", `posters/${poster.toUpperCase()}`)).json.id).toBe(poster);
  });

  it("an event of another conference than conference_id names gives an empty page, where the key sees both", async () => {
    const event = events["co-hosted in the approved conference"].id;
    for (const tier of ["super-admin", "organization"] as const) {
      const reply = await get(tier, `posters?event_id=${event}&conference_id=${conferences.own}`);
      expect(reply.status).toBe(200);
      expect(reply.json.items).toEqual([]);
    }
    expectAnswer(await get("conference", `posters?event_id=${event}`), 403, "Event");
  });

  it("unknown query parameters are ignored", async () => {
    const { id, poster } = events["hosted in the own conference"];
    const reply = await get("super-admin", `posters?event_id=${id}&sort=name&__proto__=1&constructor=2&page[]=1`);
    expect(idsOf(reply)).toEqual([poster]);
  });
});

describe("a conference key", () => {
  it("keeps its conference as the filter when none is given", async () => {
    const given = await listAll("conference", `posters?conference_id=${conferences.own}`);
    expect(await listAll("conference", "posters")).toEqual(given);
  });

  it("of a conference that is not shown still pings, lists no conference, and finds nothing else", async () => {
    const key = await make.conferenceKey(conferences.draft);
    expect((await service.call("/api/svc/ping", { key })).json.conference_id).toBe(conferences.draft);
    expect((await service.call("/api/svc/conferences", { key })).json.items).toEqual([]);
    expect((await service.call(`/api/svc/conferences/${conferences.draft}/events`, { key })).status).toBe(404);
    expectAnswer(await service.call("/api/svc/posters", { key }), 404, "Conference");
  });
});

describe("a change of state shows with the next request", () => {
  async function scene() {
    const organization = await make.organization();
    const conference = await make.conference();
    const event = await make.event(conference, { hosts: [organization] });
    const poster = await make.poster(event);
    const sceneKeys = [
      keys["super-admin"],
      await make.conferenceKey(conference),
      await make.organizationKey(organization),
    ];
    const statuses = async () => {
      const paths = [`conferences/${conference}/events`, `events/${event}/posters`, `posters/${poster}`];
      const replies = sceneKeys.map((key) => paths.map((path) => service.call(`/api/svc/${path}`, { key })));
      return Promise.all(replies.map(async (row) => (await Promise.all(row)).map(({ status }) => status)));
    };
    const listed = async (path: string, id: string) =>
      Promise.all(
        sceneKeys.slice(1).map(async (key) => {
          const reply = await service.call(`/api/svc/${path}`, { key });
          return reply.status === 200 && idsOf(reply).includes(id);
        }),
      );
    return { organization, conference, event, poster, statuses, listed };
  }
  const all = (status: number) => [0, 1, 2].map(() => [status, status, status]);

  it.each(["draft", "archived"])("a conference set to %s hides all below it, and brings it back", async (status) => {
    const { conference, event, poster, statuses, listed } = await scene();
    const set = (value: string) =>
      service.db.query(sql`update conferences set status = ${value} where id = ${conference}`);
    const lists = () =>
      Promise.all([
        listed("conferences", conference),
        listed(`conferences/${conference}/events`, event),
        listed("posters", poster),
        listed(`posters?conference_id=${conference}`, poster),
      ]);
    const shown = [
      [true, true],
      [true, true],
      [true, true],
      [true, true],
    ];
    expect(await statuses()).toEqual(all(200));
    expect(await lists()).toEqual(shown);
    await set(status);
    expect(await statuses()).toEqual(all(404));
    expect((await lists()).flat()).not.toContain(true);
    await set("approved");
    expect(await statuses()).toEqual(all(200));
    expect(await lists()).toEqual(shown);
  });

  it.each(["draft", "archived"])("an event set to %s hides its posters, not its conference", async (status) => {
    const { event, poster, statuses, listed } = await scene();
    await service.db.query(sql`update events set status = ${status} where id = ${event}`);
    expect(await statuses()).toEqual([
      [200, 404, 404],
      [200, 404, 404],
      [403, 404, 404],
    ]);
    expect(await listed("posters", poster)).toEqual([false, false]);
    await service.db.query(sql`update events set status = 'published' where id = ${event}`);
    expect(await statuses()).toEqual(all(200));
    expect(await listed("posters", poster)).toEqual([true, true]);
  });

  it("a draft event of a hidden conference stays hidden when the conference comes back", async () => {
    const { conference, event, statuses } = await scene();
    await service.db.query(sql`update conferences set status = 'draft' where id = ${conference}`);
    await service.db.query(sql`update events set status = 'draft' where id = ${event}`);
    await service.db.query(sql`update conferences set status = 'published' where id = ${conference}`);
    expect((await statuses())[0]).toEqual([200, 404, 404]);
  });

  it("an organization that becomes a co-host sees the event and all its posters, and no longer once it is removed", async () => {
    const { event, poster } = await scene();
    const guest = await make.organization();
    const key = await make.organizationKey(guest);
    const status = async () => (await service.call(`/api/svc/posters/${poster}`, { key })).status;
    const posters = async () => idsOf(await service.call("/api/svc/posters", { key }));
    expect(await status()).toBe(403);
    await service.db.query(sql`
      insert into event_hosts (event_id, organization_id, role) values (${event}, ${guest}, 'co_host')`);
    const later = await make.poster(event, { sort_order: 9 });
    expect(await status()).toBe(200);
    expect(await posters()).toEqual([poster, later]);
    await service.db.query(sql`delete from event_hosts where event_id = ${event} and organization_id = ${guest}`);
    expect(await status()).toBe(403);
    expect(await posters()).toEqual([]);
  });

  it("a poster that is published, moved or deleted is listed as it is now", async () => {
    const { poster, organization, event } = await scene();
    const key = await make.organizationKey(organization);
    const ids = async (query: string) => idsOf(await service.call(`/api/svc/posters?${query}`, { key }));
    const second = await make.poster(event, { published: false, sort_order: 5 });
    expect(await ids("published=true")).toEqual([poster]);
    await service.db.query(sql`update posters set published = true, sort_order = -5 where id = ${second}`);
    expect(await ids("published=true")).toEqual([second, poster]);
    await service.db.query(sql`delete from posters where id = ${second}`);
    expect(await ids("")).toEqual([poster]);
  });

  it("an event moved to another conference takes its posters along", async () => {
    const { conference, event, poster, organization } = await scene();
    const target = await make.conference();
    await service.db.query(sql`update events set conference_id = ${target} where id = ${event}`);
    const key = await make.organizationKey(organization);
    expect((await service.call(`/api/svc/posters/${poster}`, { key })).json.conference_id).toBe(target);
    expect(idsOf(await service.call(`/api/svc/posters?conference_id=${target}`, { key }))).toEqual([poster]);
    expect((await service.call(`/api/svc/posters?conference_id=${conference}`, { key })).status).toBe(403);
  });
});
