import { isDeepStrictEqual } from "node:util";
import type { FastifyInstance } from "fastify";
import sql, { raw, type Sql } from "sql-template-tag";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import type { DatabaseObserver, Queryable } from "../../src/infra/database/db.js";
import { createLog } from "../../src/infra/observability/log.js";
import type { FreshDatabase } from "../support/fresh-database.js";
import { createRandom } from "../support/random.js";
import { publicUrl } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { chooseRead, createWorld, type Key, type Read, type World } from "./freshness-world.js";
import { type Patch, rolledBack, versionWriters, visibilityWriter } from "./freshness-writers.js";

const processes = 3;
const readersPerProcess = 8;

export type Run = {
  reads: number;
  seed: number;
  disabled?: string;
  onlyVisibility?: true;
  rewrite?: (text: string) => string;
};

type Problem = { read: string; problem: string };

/** Reads beside writers on several processes, until a read is stale or there were as many reads. */
export async function runReads(fresh: FreshDatabase, { reads, seed, disabled, onlyVisibility, rewrite }: Run) {
  await fresh.db.query(sql`delete from conferences`);
  if (disabled !== undefined) await setTriggers(fresh, disabled, "disable");
  const world = await createWorld(fresh.db);
  const random = createRandom(seed);
  const apps = Array.from({ length: processes }, () => startProcess(fresh, rewrite));
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
    if (disabled !== undefined) await setTriggers(fresh, disabled, "enable");
  }
  const builds = apps.reduce((sum, { builds }) => sum + builds(), 0);
  return { problems, outcomes, builds, reads: world.reads };
}

function stop(world: World): void {
  world.done = true;
}

async function setTriggers(fresh: FreshDatabase, table: string, state: "enable" | "disable"): Promise<void> {
  const names = ["record_inserts", "record_deletes", "record_updates_from", "record_updates_to"];
  for (const name of names) await fresh.db.query(raw(`alter table ${table} ${state} trigger ${name}`));
}

type Process = { app: FastifyInstance; builds(): number; close(): Promise<void> };

/** The service with a cache and connections of its own, as another process has them. */
function startProcess(fresh: FreshDatabase, rewrite = (text: string) => text): Process {
  let builds = 0;
  const observer: DatabaseObserver = {
    pool: () => {},
    writable: () => {},
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
    method,
    url: `/api/svc${path}`,
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
