import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw } from "sql-template-tag";
import { scopes } from "../../contract/scopes.js";
import { pruneChanges } from "../../src/access/changes.js";
import { type Database, type Queryable, sqlState } from "../../src/infra/database/db.js";
import { createTransferHarness } from "../cli/transfer-harness.js";
import { makerOn } from "../support/make.js";
import type { Random } from "../support/random.js";
import { createToolRunner } from "../support/tool-runner.js";
import type { Event, Poster, World } from "./freshness-world.js";

export type Patch = (posterId: string, postedUrls: Record<string, string>) => Promise<number>;

type Writer = () => Promise<void>;

/** What a write that was rolled back would have left. */
export const rolledBack = "rolled back";

/** Changes what callers see until the world is done. */
export function visibilityWriter(world: World, db: Database, random: Random): Writer {
  return repeat(world, 40, () => changeVisibility(world, db, random));
}

/**
 * Writers of versions, of all kinds. Each changes rows of its own, so that versions only grow. In the embedded database,
 * transactions do not overlap with reads.
 */
export function versionWriters(
  world: World,
  db: Database,
  { random, patch, overlap }: { random: Random; patch: Patch; overlap: boolean },
): Writer[] {
  const [first, second, third, ...others] = world.events as [Event, Event, Event, ...Event[]];
  const [long, longer, ...renamed] = others as [Event, Event, ...Event[]];
  const acknowledge = (id: string, field: string, version: number) => world.versions.set(`${id} ${field}`, version);
  const rename = (tx: Queryable, event: Event, name: string) =>
    tx.query(sql`update events set name = ${name} where id = ${event.id}`);

  const inLongTransaction = (event: Event, pause: number) =>
    repeat(world, 1, async (version) => {
      await db.transaction(async (tx) => {
        await rename(tx, event, `Event ${version}`);
        await readsAfter(world, pause);
      });
      acknowledge(event.id, "name", version);
    });

  return [
    repeat(world, 15, async (version) => {
      const { id } = random.pick(world.posters);
      const url = `https://example.com/${(world.versions.get(`${id} posted`) ?? 0) + version}`;
      // It may have become invisible or be gone.
      if ((await patch(id, { test: url })) === 200) acknowledge(id, "posted", Number(url.slice(20)));
    }),
    repeat(world, 60, async (version) => {
      const [organizationId = ""] = first.hosts;
      const via = { kind: "key", keyId: first.id, keyName: "test", expiresAt: null, lastUsedAt: null } as const;
      const userId = world.keys.find(({ of }) => of === organizationId)?.userId ?? "";
      const caller = { via, tier: "organization", organizationId, userId, role: "owner" } as const;
      const tools = createToolRunner(db, { caller: { ...caller, scopes: [...scopes] }, eventId: first.id });
      await tools.commit("update_event_details", { name: `Event ${version}` });
      acknowledge(first.id, "name", version);
    }),
    repeat(world, 200, async (version) => {
      const conferences = world.conferences.map(({ id }) => ({ id, name: `Conference ${version}` }));
      const events = [{ id: second.id, name: `Event ${version}` }];
      await createTransferHarness(db).import({ conferences, events });
      for (const { id } of conferences) acknowledge(id, "name", version);
      acknowledge(second.id, "name", version);
    }),
    repeat(world, 30, async (version) => {
      await db.transaction(async (tx) => {
        await tx.query(raw("savepoint one"));
        await rename(tx, third, rolledBack);
        await tx.query(raw("rollback to savepoint one"));
        if (version % 2 === 0) await rename(tx, third, `Event ${version}`);
      });
      if (version % 2 === 0) acknowledge(third.id, "name", version);
    }),
    repeat(world, 50, async () => {
      const failed = db.transaction(async (tx) => {
        await rename(tx, third, rolledBack);
        throw new Error(rolledBack);
      });
      await failed.catch((error: Error) => {
        if (error.message !== rolledBack) throw error;
      });
    }),
    ...(overlap ? [inLongTransaction(long, 60), inLongTransaction(longer, 20)] : []),
    repeat(world, 40, async (version) => {
      const ids = renamed.map(({ id }) => id);
      await db.query(sql`update events set name = ${`Event ${version}`} where id = any(${ids}::uuid[])`);
      for (const id of ids) acknowledge(id, "name", version);
    }),
    repeat(world, 100, () => pruneChanges(db, 0)),
  ];
}

function repeat(world: World, pause: number, step: (version: number) => Promise<unknown>): Writer {
  return async () => {
    for (let version = 1; !world.done; version += 1) {
      await retryDeadlocks(() => step(version));
      await readsAfter(world, pause);
    }
  };
}

async function retryDeadlocks(work: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== "40P01") throw error;
    }
  }
}

async function readsAfter(world: World, count: number): Promise<void> {
  const until = world.reads + count;
  while (world.reads < until && !world.done) await sleep(1);
}

/** One change of what somebody sees or may do. */
async function changeVisibility(world: World, db: Database, random: Random): Promise<void> {
  // A tool changes the first event, which must stay visible to its host.
  const event = random.pick(world.events.slice(1));
  const conference = random.pick(world.conferences.slice(1));
  const poster = random.pick(world.posters);
  const organization = random.pick(world.organizations);
  const key = random.pick(world.keys.filter(({ tier }) => tier === "organization").slice(2));
  const change = random.pick<() => Promise<() => void>>([
    () => toggleHost(db, event, organization),
    async () => {
      await db.query(sql`update events set status = ${event.isListed ? "draft" : "published"} where id = ${event.id}`);
      return () => Object.assign(event, { isListed: !event.isListed });
    },
    async () => {
      const status = conference.isListed ? "archived" : "approved";
      await db.query(sql`update conferences set status = ${status} where id = ${conference.id}`);
      return () => Object.assign(conference, { isListed: !conference.isListed });
    },
    async () => {
      await db.query(sql`update posters set published = ${!poster.isPublished} where id = ${poster.id}`);
      return () => Object.assign(poster, { isPublished: !poster.isPublished });
    },
    async () => {
      await db.query(sql`update events set conference_id = ${conference.id} where id = ${event.id}`);
      return () => Object.assign(event, { conference });
    },
    () => addOrRemovePoster(world, db, event, poster),
    async () => {
      const at = key.isActive ? sql`now()` : sql`null`;
      await db.query(sql`update api_keys set revoked_at = ${at} where created_by = ${key.userId}`);
      return () => Object.assign(key, { isActive: !key.isActive });
    },
    async () => {
      await db.query(sql`update members set role = ${key.mayWrite ? "member" : "admin"} where user_id = ${key.userId}`);
      return () => Object.assign(key, { mayWrite: !key.mayWrite });
    },
  ]);
  world.epoch += 1;
  try {
    (await change())();
  } finally {
    world.epoch += 1;
  }
}

async function toggleHost(db: Database, event: Event, organization: string): Promise<() => void> {
  if (event.hosts.has(organization)) {
    if (event.hosts.size === 1) return () => {};
    await db.query(sql`delete from event_hosts where event_id = ${event.id} and organization_id = ${organization}`);
    return () => event.hosts.delete(organization);
  }
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select ${event.id}::uuid, ${organization}::uuid,
      case when exists (select from event_hosts where event_id = ${event.id} and role = 'host') then 'co_host' else 'host' end`);
  return () => event.hosts.add(organization);
}

async function addOrRemovePoster(world: World, db: Database, event: Event, poster: Poster): Promise<() => void> {
  if (world.posters.length > 24) {
    await db.query(sql`delete from posters where id = ${poster.id}`);
    return () => world.posters.splice(world.posters.indexOf(poster), 1);
  }
  const id = await makerOn(db).poster(event.id);
  return () => world.posters.push({ id, event, isPublished: true });
}
