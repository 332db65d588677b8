import { isDeepStrictEqual } from "node:util";
import type { FastifyInstance } from "fastify";
import sql, { raw, type Sql } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import type { DatabaseObserver, Queryable } from "../../src/platform/database/db.js";
import { createLog } from "../../src/platform/observability/log.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { createRandom, runSize } from "../support/random.js";
import { publicUrl } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { chooseRead, createWorld, type Key, type Read, type World } from "./freshness-world.js";
import { type Patch, rolledBack, versionWriters, visibilityWriter } from "./freshness-writers.js";

/**
 * Every read shows every write that was acknowledged before it was sent, on every process. FRESHNESS_REQUESTS and
 * FRESHNESS_SEED choose another run: `npm run test:freshness`.
 */
const { requests, seed } = runSize("FRESHNESS");
const processes = 3;
const readersPerProcess = 8;
const timeout = 3_600_000;

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await openFreshDatabase();
});
afterAll(() => fresh.remove());

it(`${requests} reads of seed ${seed} beside writers are never stale`, { timeout }, async () => {
  const { problems, outcomes, builds, reads } = await run({ reads: requests });
  expect(problems).toEqual([]);
  for (const status of [200, 401, 403, 404, 412]) expect(outcomes.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  // A run without hits would prove nothing.
  expect(builds).toBeLessThan(0.8 * reads);
});

describe("this test finds", () => {
  it.each(["conferences", "events", "event_hosts", "posters"])(
    "a missing trigger on %s",
    { timeout },
    async (table) => {
      const { problems } = await run({ reads: 60_000, disabled: table, onlyVisibility: true });
      expect(problems).not.toEqual([]);
    },
  );
});

withPostgres("where transactions overlap, this test finds", () => {
  it("changes that are compared by number, not by visibility", { timeout }, async () => {
    const byNumber = (text: string) =>
      text.replace(
        "pg_visible_in_snapshot(c.xid, given.snapshots[place])",
        "c.xid < pg_snapshot_xmax(given.snapshots[place])",
      );
    const { problems } = await run({ reads: 60_000, rewrite: byNumber });
    expect(problems).not.toEqual([]);
  });
});

type Run = { reads: number; disabled?: string; onlyVisibility?: true; rewrite?: (text: string) => string };

type Problem = { read: string; problem: string };

async function run({ reads, disabled, onlyVisibility, rewrite }: Run) {
  await fresh.db.query(sql`delete from conferences`);
  if (disabled !== undefined) await setTriggers(disabled, "disable");
  const world = await createWorld(fresh.db);
  const random = createRandom(seed);
  const apps = Array.from({ length: processes }, () => startProcess(rewrite));
  const problems: Problem[] = [];
  const outcomes = new Map<number, number>();
  const readAll = async ({ app }: Process) => {
    while (world.reads < reads && problems.length === 0) {
      const { status, problem, read } = await readOnce(world, app, chooseRead(world, random));
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
      if (problem !== undefined) problems.push({ read: `${read.key.tier} ${read.method} ${read.path}`, problem });
      world.reads += 1;
    }
  };
  const patch: Patch = async (id, postedUrls) => {
    const request = { method: "PATCH", path: `/posters/${id}`, key: world.keys[0] as Key } as const;
    return (await inject(random.pick(apps).app, request, { posted_urls: postedUrls })).status;
  };
  try {
    const versions = onlyVisibility
      ? []
      : versionWriters(world, fresh.db, { random, patch, overlap: "connectionString" in fresh.connection });
    const writing = [visibilityWriter(world, fresh.db, random), ...versions].map((write) => write());
    const reading = apps.flatMap((one) => Array.from({ length: readersPerProcess }, () => readAll(one)));
    const finished = [...writing, Promise.all(reading)].map((work) => work.finally(() => stop(world)));
    await Promise.allSettled(finished);
    await Promise.all(finished);
  } finally {
    await Promise.all(apps.map(({ close }) => close()));
    if (disabled !== undefined) await setTriggers(disabled, "enable");
  }
  const builds = apps.reduce((sum, { builds }) => sum + builds(), 0);
  return { problems, outcomes, builds, reads: world.reads };
}

function stop(world: World): void {
  world.done = true;
}

async function setTriggers(table: string, state: "enable" | "disable"): Promise<void> {
  const names = ["record_inserts", "record_deletes", "record_updates_from", "record_updates_to"];
  for (const name of names) await fresh.db.query(raw(`alter table ${table} ${state} trigger ${name}`));
}

type Process = { app: FastifyInstance; builds(): number; close(): Promise<void> };

/** The service with a cache and connections of its own, as another process has them. */
function startProcess(rewrite = (text: string) => text): Process {
  let builds = 0;
  const observer: DatabaseObserver = {
    pool: () => {},
    statement(_statement, name) {
      if (name?.startsWith("list ") || name?.startsWith("get poster")) builds += 1;
    },
  };
  const db = openServiceDatabase(fresh.connection, { observer });
  const lookups: Queryable = {
    query: ({ text, values }, name) => db.lookups.query({ text: rewrite(text), values } as Sql, name),
  };
  const limits = { rest: 1e9, mcp: 1e9, ticketing: 1e9 };
  const config = { ...loadConfig({}), publicUrl, limits, logLevel: "silent" as const };
  const app = buildApp(config, { ...db, lookups }, createLog("silent"));
  return {
    app,
    builds: () => builds,
    async close() {
      await app.close();
      await db.close();
    },
  };
}

async function inject(
  app: FastifyInstance,
  { key, method, path }: Pick<Read, "key" | "method" | "path">,
  body?: object,
) {
  const response = await app.inject({
    ...{ method, url: `/api/svc${path}` },
    headers: {
      authorization: `Bearer ${key.key}`,
      ...(method === "PATCH" ? { "content-type": "application/json" } : {}),
      ...(method === "PATCH" && body === undefined ? { "if-match": '"none"' } : {}),
    },
    ...(method === "PATCH" ? { payload: body ?? { posted_urls: { test: "https://example.com/never" } } } : {}),
  });
  return { status: response.statusCode, body: response.json() };
}

type Item = { id: string; name?: string; posted_urls?: { test?: string } | null };

/** Sends the request and compares the response with what was acknowledged before it was sent. */
async function readOnce(world: World, app: FastifyInstance, read: Read) {
  const epoch = world.epoch;
  const acknowledged = new Map(world.versions);
  const { status, body } = await inject(app, read);
  const items: Item[] = status === 200 ? (body.items ?? [body]) : [];
  return { status, read, problem: outdatedItem(items, acknowledged) ?? wrongRows() };

  function wrongRows(): string | undefined {
    if (world.epoch !== epoch || epoch % 2 === 1) return undefined;
    const expected = read.expected();
    const ids = expected.ids?.toSorted();
    const found = status === 200 ? items.map(({ id }) => id).sort() : undefined;
    if (status === expected.status && isDeepStrictEqual(found, ids)) return undefined;
    return `expected ${expected.status} ${ids}, but it was ${status} ${found}`;
  }
}

function outdatedItem(items: Item[], acknowledged: Map<string, number>): string | undefined {
  for (const { id, name, posted_urls } of items) {
    if (name === rolledBack) return `${id} shows what was rolled back`;
    for (const [field, text] of [["name", name] as const, ["posted", posted_urls?.test] as const]) {
      const wanted = acknowledged.get(`${id} ${field}`) ?? 0;
      const version = Number(/\d+$/.exec(text ?? "")?.[0] ?? 0);
      if (version < wanted) return `${field} of ${id} is ${version}, but ${wanted} was acknowledged`;
    }
  }
  return undefined;
}
