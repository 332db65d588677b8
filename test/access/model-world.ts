import sql, { raw } from "sql-template-tag";
import { generateKey } from "../../src/access/api-key.js";
import type { Queryable } from "../../src/infra/database/db.js";
import type { Random } from "../support/random.js";

/** A small platform as plain values: what the model of the access rules reads, and what is stored in the database. */

export const statuses = ["draft", "approved", "published", "archived"] as const;
export const roles = ["member", "admin", "owner"] as const;
export const categories = ["mainline", "community", "sponsored", "vip"] as const;
export const scopes = [
  ...["conferences:read", "org:read", "org:write", "events:write", "registrations:read", "registrations:write"],
];

export type Status = (typeof statuses)[number];
export type Role = (typeof roles)[number];
export type Host = { organization: string; role: "host" | "co_host" };
export type Conference = { id: string; status: Status; start_date: string };
export type Event = {
  id: string;
  conference: string;
  status: Status;
  category: string;
  start_time: string;
  ticketing_event_id: string | null;
  /** The organization that has proposed it. */
  proposed_by: string | null;
  /** Whether its host has cancelled it, while it is archived. */
  cancelled: boolean;
  hosts: Host[];
};
export type Poster = { id: string; event: string; published: boolean; sort_order: number };
export type Registration = { id: string; event: string };
export type Member = { organization: string; user: string; role: Role };
export type Key = {
  secret: string;
  conference: string | null;
  organization: string | null;
  user: string | null;
  scopes: string[] | null;
  state: "active" | "revoked" | "expired" | "unknown";
};

export type World = {
  organizations: string[];
  conferences: Conference[];
  events: Event[];
  posters: Poster[];
  registrations: Registration[];
  members: Member[];
  keys: Key[];
};

const day = (n: number) => String(1 + n).padStart(2, "0");

export function createWorld(random: Random): World {
  const organizations = Array.from({ length: 6 }, () => random.uuid());
  const conferences = Array.from({ length: 8 }, () => ({
    id: random.uuid(),
    status: randomStatus(random),
    start_date: `2031-05-${day(random.below(3))}`,
  }));
  const events = Array.from({ length: 40 }, (_, n) => ({
    id: random.uuid(),
    conference: random.pick(conferences).id,
    ...randomState(random),
    proposed_by: random.chance(0.5) ? random.pick(organizations) : null,
    category: random.pick(categories),
    start_time: `2031-05-${day(random.below(3))}T18:00:00.000Z`,
    ticketing_event_id: random.chance(0.7) ? `evt-model-${n}` : null,
    hosts: randomHosts(random, organizations),
  }));
  const eventOf = () => random.pick(events).id;
  const posters = Array.from({ length: 60 }, () => ({
    id: random.uuid(),
    event: eventOf(),
    published: random.chance(0.5),
    sort_order: random.below(3),
  }));
  const registrations = Array.from({ length: 60 }, () => ({ id: random.uuid(), event: eventOf() }));
  const members = organizations.flatMap((organization) =>
    roles.flatMap((role) => [role, role].map(() => ({ organization, user: random.uuid(), role }))),
  );
  return {
    organizations,
    conferences,
    events,
    posters,
    registrations,
    members,
    keys: createKeys(random, conferences, members),
  };
}

/** Mostly visible, so that not every request is refused. */
function randomStatus(random: Random): Status {
  return random.chance(0.7) ? random.pick(["approved", "published"]) : random.pick(["draft", "archived"]);
}

function randomState(random: Random): Pick<Event, "status" | "cancelled"> {
  const status = randomStatus(random);
  return { status, cancelled: status === "archived" && random.chance(0.5) };
}

/** An event without hosts exists too. */
function randomHosts(random: Random, organizations: string[]): Host[] {
  const chosen = random.subset(organizations, 0.3);
  const hasHost = random.chance(0.9);
  return chosen.map((organization, n) => ({ organization, role: n === 0 && hasHost ? "host" : "co_host" }));
}

function createKeys(random: Random, conferences: Conference[], members: Member[]): Key[] {
  const nobody = { conference: null, organization: null, user: null, scopes: null };
  const state = () =>
    random.chance(0.9) ? ("active" as const) : random.pick(["revoked", "expired", "unknown"] as const);
  const secret = () => generateKey().key;
  return [
    { ...nobody, secret: secret(), state: "active" },
    { ...nobody, secret: secret(), state: "revoked" },
    ...conferences.map(({ id }) => ({ ...nobody, conference: id, secret: secret(), state: state() })),
    ...members.map(({ organization, user }) => ({
      conference: null,
      organization,
      user,
      secret: secret(),
      state: state(),
      scopes: random.chance(0.5) ? [...scopes] : random.subset(scopes, 0.6),
    })),
  ];
}

export async function storeWorld(db: Queryable, world: World, hashOf: (secret: string) => Buffer): Promise<void> {
  const insert = (statement: string, rows: object[]) =>
    db.query(sql`${raw(`${statement} from jsonb_to_recordset(`)}${JSON.stringify(rows)}${raw(recordOf(rows))}`);
  await insert("insert into organizations (id, name, slug) select id, 'Organization', id", asIds(world.organizations));
  await insert(
    "insert into users (id, email, name) select id, id || '@example.com', 'Person'",
    asIds(world.members.map(({ user }) => user)),
  );
  await insert('insert into members (organization_id, user_id, role) select organization, "user", role', world.members);
  await insert(
    `insert into conferences
       (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
     select id, 'Conference', id, 'C', '', 'Lisbon', start_date::date, '2031-12-31', 'Europe/Lisbon', status, 'mainline'`,
    world.conferences,
  );
  await insert(
    `insert into events
       (id, conference_id, name, start_time, end_time, timezone, status, category, ticketing_event_id, cancelled_at)
     select id, conference, 'Event', start_time::timestamptz, start_time::timestamptz + interval '2 hours', 'UTC', status,
       category, ticketing_event_id, case when cancelled then now() end`,
    world.events.map(({ hosts: _, proposed_by: __, ...event }) => event),
  );
  await insert(
    "insert into event_proposals (event_id, organization_id) select event, organization",
    world.events.flatMap(({ id, proposed_by }) =>
      proposed_by === null ? [] : [{ event: id, organization: proposed_by }],
    ),
  );
  await insert(
    "insert into event_hosts (event_id, organization_id, role) select event, organization, role",
    world.events.flatMap(({ id, hosts }) => hosts.map((host) => ({ event: id, ...host }))),
  );
  await insert(
    `insert into posters (id, event_id, image_url, published, sort_order)
     select id, event, 'https://images.example.com/1.png', published, sort_order`,
    world.posters,
  );
  await insert(
    "insert into registrations (id, event_id, name, email, status) select id, event, 'Guest', id || '@example.com', 'pending'",
    world.registrations,
  );
  for (const key of world.keys.filter(({ state }) => state !== "unknown")) {
    const expires = key.state === "expired" ? sql`now() - interval '1 hour'` : sql`now() + interval '80 days'`;
    await db.query(sql`
      insert into api_keys
        (name, key_hash, key_prefix, conference_id, organization_id, scopes, created_by, expires_at, revoked_at)
      values (
        'model', ${hashOf(key.secret)}, ${key.secret.slice(0, 12)}, ${key.conference}, ${key.organization},
        ${key.scopes}, ${key.user}, ${expires}, ${key.state === "revoked" ? new Date() : null})`);
  }
}

const asIds = (ids: string[]) => ids.map((id) => ({ id }));

const uuidColumns = new Set(["id", "organization", "user", "conference", "event"]);

/** The columns of the rows, for jsonb_to_recordset. */
function recordOf(rows: object[]): string {
  const columns = Object.entries(rows[0] ?? {}).map(([name, value]) => {
    if (uuidColumns.has(name)) return `"${name}" uuid`;
    return `${name} ${typeof value === "boolean" ? "boolean" : typeof value === "number" ? "float8" : "text"}`;
  });
  return `::jsonb) as given (${columns.join(", ")})`;
}

/** Changes something that decides who sees what, in the world and in the database. */
export async function changeWorld(db: Queryable, world: World, random: Random): Promise<void> {
  switch (random.below(5)) {
    case 0: {
      const conference = random.pick(world.conferences);
      conference.status = randomStatus(random);
      await db.query(sql`update conferences set status = ${conference.status} where id = ${conference.id}`);
      break;
    }
    case 1: {
      const event = random.pick(world.events);
      Object.assign(event, randomState(random));
      await db.query(sql`
        update events set status = ${event.status}, cancelled_at = ${event.cancelled ? new Date() : null}
        where id = ${event.id}`);
      break;
    }
    case 2: {
      const event = random.pick(world.events);
      event.hosts = randomHosts(random, world.organizations);
      await db.query(sql`delete from event_hosts where event_id = ${event.id}`);
      for (const { organization, role } of event.hosts) {
        await db.query(sql`
          insert into event_hosts (event_id, organization_id, role) values (${event.id}, ${organization}, ${role})`);
      }
      break;
    }
    case 3: {
      const member = random.pick(world.members);
      member.role = random.pick(roles);
      await db.query(sql`
        update members set role = ${member.role}
        where organization_id = ${member.organization} and user_id = ${member.user}`);
      break;
    }
    case 4: {
      // People leave rarely, or soon no key would work.
      if (!random.chance(0.2)) return;
      const member = random.pick(world.members);
      world.members.splice(world.members.indexOf(member), 1);
      await db.query(sql`
        delete from members where organization_id = ${member.organization} and user_id = ${member.user}`);
      break;
    }
  }
}
