import type { Database } from "../../src/infra/database/db.js";
import { makerOn } from "../support/make.js";
import type { Random } from "../support/random.js";

/**
 * What the database contains, as far as writes were acknowledged. Versions only grow. Everything that decides who sees what is
 * changed by one writer; `epoch` is odd while such a change is under way.
 */
export type World = {
  conferences: Conference[];
  events: Event[];
  posters: Poster[];
  organizations: string[];
  keys: Key[];
  epoch: number;
  versions: Map<string, number>;
  /** Reads that were answered: writers wait for some between their steps. */
  reads: number;
  done: boolean;
};

export type Conference = { id: string; isListed: boolean };
export type Event = { id: string; conference: Conference; isListed: boolean; hosts: Set<string> };
export type Poster = { id: string; event: Event; isPublished: boolean };
export type Key = { key: string; tier: "super-admin" | "conference" | "organization" } & {
  /** The conference or organization. */
  of: string;
  userId: string | null;
  isActive: boolean;
  mayWrite: boolean;
};

export async function createWorld(db: Database): Promise<World> {
  const make = makerOn(db);
  const organizations = [await make.organization(), await make.organization()];
  const world: World = {
    conferences: [],
    events: [],
    posters: [],
    organizations,
    keys: [],
    epoch: 0,
    versions: new Map(),
    reads: 0,
    done: false,
  };
  for (let c = 0; c < 3; c += 1) {
    const conference = { id: await make.conference(), isListed: true };
    world.conferences.push(conference);
    for (let e = 0; e < 4; e += 1) {
      const hosts = organizations.slice(e % 2, (e % 2) + 1);
      const event = {
        id: await make.event(conference.id, { hosts }),
        conference,
        isListed: true,
        hosts: new Set(hosts),
      };
      world.events.push(event);
      for (let p = 0; p < 2; p += 1) world.posters.push({ id: await make.poster(event.id), event, isPublished: true });
    }
  }
  const add = (tier: Key["tier"], key: string, of = "", userId: string | null = null) =>
    world.keys.push({ key, tier, of, userId, isActive: true, mayWrite: true });
  add("super-admin", await make.superAdminKey());
  for (const { id } of world.conferences.slice(0, 2)) add("conference", await make.conferenceKey(id), id);
  for (const organization of [...organizations, ...organizations]) {
    const userId = await make.member(organization, "owner");
    add("organization", await make.organizationKey(organization, { userId }), organization, userId);
  }
  return world;
}

/** A request, and what its response must be while nothing changes that decides it. */
export type Read = { key: Key; method: "GET" | "PATCH"; path: string; expected(): Expected };

export type Expected = { status: number; ids?: string[] };

/** In a filter, what nobody sees is no error. */
const filtered = (given: Expected): Expected => (given.status === 404 ? { status: 200, ids: [] } : given);

export function chooseRead(world: World, random: Random): Read {
  const key = random.pick(world.keys);
  const conference = random.pick(world.conferences);
  const event = random.pick(world.events);
  const poster = random.pick(world.posters);
  const active = (expect: () => Expected) => () => (key.isActive ? expect() : { status: 401 });
  const get = (path: string, expect: () => Expected): Read => ({ key, method: "GET", path, expected: active(expect) });
  const posters = (expect: (poster: Poster) => boolean) =>
    world.posters.filter((one) => seesEvent(key, one.event) && expect(one)).map(({ id }) => id);
  const inConference = (ids: string[]) =>
    ids.length > 0 ? { status: 200, ids } : conferenceAnswer(world, key, conference);
  return random.pick<() => Read>([
    () =>
      get("/conferences", () => ({
        status: 200,
        ids: idsOf(world.conferences, (one) => seesConference(world, key, one)),
      })),
    () =>
      get(`/conferences/${conference.id}/events?limit=200`, () =>
        inConference(idsOf(world.events, (one) => one.conference === conference && seesEvent(key, one))),
      ),
    () => {
      const own = (one: Poster) => key.tier !== "conference" || one.event.conference.id === key.of;
      return get("/posters?limit=200", () => ({ status: 200, ids: posters(own) }));
    },
    () =>
      get(`/posters?conference_id=${conference.id}&published=true&limit=200`, () =>
        filtered(inConference(posters((one) => one.event.conference === conference && one.isPublished))),
      ),
    () =>
      get(`/posters?event_id=${event.id}`, () => {
        const ids = posters((one) => one.event === event);
        return ids.length > 0 ? { status: 200, ids } : filtered(answer(isListed(event), seesEvent(key, event)));
      }),
    () =>
      get(`/events/${event.id}/posters`, () => {
        const ids = posters((one) => one.event === event);
        return ids.length > 0 ? { status: 200, ids } : answer(isListed(event), seesEvent(key, event));
      }),
    () =>
      get(`/posters/${poster.id}`, () => ({
        ...answer(isListed(poster.event), seesEvent(key, poster.event)),
        ...(seesEvent(key, poster.event) ? { ids: [poster.id] } : {}),
      })),
    () =>
      get(`/posters?event_id=${event.id}&conference_id=${conference.id}`, () => {
        const ids = event.conference === conference ? posters((one) => one.event === event) : [];
        if (ids.length > 0) return { status: 200, ids };
        const named = filtered(answer(isListed(event), seesEvent(key, event)));
        return named.status === 200 ? filtered(conferenceAnswer(world, key, conference)) : named;
      }),
    // Never succeeds: the ETag is of nothing.
    () => ({
      key,
      method: "PATCH",
      path: `/posters/${poster.id}`,
      expected: active(() => {
        if (!key.mayWrite) return { status: 403 };
        const { status } = answer(isListed(poster.event), seesEvent(key, poster.event));
        return { status: status === 200 ? 412 : status };
      }),
    }),
  ])();
}

function conferenceAnswer(world: World, key: Key, conference: Conference): Expected {
  const expected = answer(conference.isListed, seesConference(world, key, conference));
  return expected.status === 200 ? { ...expected, ids: [] } : expected;
}

function answer(exists: boolean, isVisible: boolean): Expected {
  if (!exists) return { status: 404 };
  return { status: isVisible ? 200 : 403, ...(isVisible ? { ids: [] } : {}) };
}

function isListed(event: Event): boolean {
  return event.isListed && event.conference.isListed;
}

function seesEvent(key: Key, event: Event): boolean {
  if (!isListed(event)) return false;
  if (key.tier === "organization") return event.hosts.has(key.of);
  return key.tier === "super-admin" || event.conference.id === key.of;
}

function seesConference(world: World, key: Key, conference: Conference): boolean {
  if (!conference.isListed) return false;
  if (key.tier === "organization")
    return world.events.some((event) => event.conference === conference && seesEvent(key, event));
  return key.tier === "super-admin" || conference.id === key.of;
}

function idsOf<Row extends { id: string }>(rows: Row[], condition: (row: Row) => boolean): string[] {
  return rows.filter(condition).map(({ id }) => id);
}
