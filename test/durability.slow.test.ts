import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../src/infra/database/db.js";
import { type DatabaseKind, type RunningService, serveFreshDatabase } from "./cli/serve-fresh-database.js";
import { call } from "./support/call.js";
import { makerOn } from "./support/make.js";
import { withPostgres } from "./support/needs.js";
import { createPostgresDatabase } from "./support/postgres.js";

describe("embedded", () => {
  it("loses no acknowledged PATCH on SIGKILL", () => killInStreamOfPatches("embedded"));
});

withPostgres("PostgreSQL", () => {
  it("loses no acknowledged PATCH on SIGKILL", () => killInStreamOfPatches("postgres"));

  it("fails only the transaction whose connection is lost", async () => {
    const { connection, remove } = await createPostgresDatabase();
    const db = openDatabase(connection, { poolSize: 2, onIdleError: () => {} });
    const interrupted = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.query(sql`select pg_terminate_backend(${row?.pid}::int)`);
      await sleep(50);
      await tx.query(sql`select 1`);
    });
    await expect(interrupted).rejects.toThrow(/connection/i);
    expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    await db.close();
    await remove();
  });
});

const posterCount = 8;

type Written = { poster: string; acknowledged: number; sent: number };

/** Each writer counts up on its own poster; after the kill, its last acknowledged or its last sent value is stored. */
async function killInStreamOfPatches(kind: DatabaseKind): Promise<void> {
  const served = await serveFreshDatabase(kind);
  try {
    const { key, posters } = await prepare(served);
    const writers = posters.map((written) => countUp(served.url, key, written));
    while (posters.some(({ acknowledged }) => acknowledged < 5)) await sleep(2);
    await served.crash();
    await Promise.all(writers);
    for (const written of posters) await expectNothingLost(served, key, written);
  } finally {
    await served.remove();
  }
}

async function prepare(served: RunningService): Promise<{ key: string; posters: Written[] }> {
  const make = makerOn(served.db);
  const event = await make.event(await make.conference(), { hosts: [await make.organization()] });
  const posters = await make.posters(event, Array(posterCount).fill({}));
  return {
    key: await make.superAdminKey(),
    posters: posters.map((poster) => ({ poster, acknowledged: 0, sent: 0 })),
  };
}

const link = (n: number) => `https://social.example.com/${n}`;

/** Sends PATCH requests one at a time until the service is gone. */
async function countUp(url: string, key: string, written: Written): Promise<void> {
  for (;;) {
    written.sent = written.acknowledged + 1;
    try {
      const body = { posted_urls: { x: link(written.sent) } };
      const { status } = await call(url, `/api/svc/posters/${written.poster}`, { key, body });
      if (status !== 200) throw new Error(`status ${status}`);
    } catch {
      return;
    }
    written.acknowledged = written.sent;
  }
}

async function expectNothingLost(served: RunningService, key: string, written: Written): Promise<void> {
  const { json } = await call(served.url, `/api/svc/posters/${written.poster}`, { key });
  const stored = Number(json.posted_urls.x.split("/").at(-1));
  expect([written.acknowledged, written.sent]).toContain(stored);
  const records = await served.db.query<{ before: string | null; after: string }>(sql`
    select before #>> '{poster,posted_urls,x}' as before, after #>> '{poster,posted_urls,x}' as after
    from mutation_records where request->>'poster_id' = ${written.poster}`);
  const links = Array.from({ length: stored }, (_, n) => link(n + 1));
  expect(new Set(records.map(({ after }) => after))).toEqual(new Set(links));
  expect(new Set(records.map(({ before }) => before))).toEqual(new Set([null, ...links.slice(0, -1)]));
  expect(records).toHaveLength(stored);
}
