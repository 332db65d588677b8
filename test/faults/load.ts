import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { expect } from "vitest";
import type { Database } from "../../src/infra/database/db.js";
import { legacy } from "../mcp/messages.js";
import { call, type Reply } from "../support/call.js";
import { makerOn } from "../support/make.js";

type Answer = { what: string; status: number | "no response"; ms: number; retryAfter: string | null };

type Writer = { poster: string; sent: number; acknowledged: number[] };

export type LoadFixture = { adminKey: string; organizationKey: string; eventId: string; posters: string[] };

export async function createLoadFixture(db: Database, writers: number): Promise<LoadFixture> {
  const make = makerOn(db);
  const organization = await make.organization();
  const eventId = await make.event(await make.conference(), { hosts: [organization] });
  return {
    eventId,
    posters: await make.posters(eventId, Array(writers).fill({})),
    adminKey: await make.superAdminKey(),
    organizationKey: await make.organizationKey(organization),
  };
}

const link = (poster: string, n: number) => `https://social.example.com/${poster}/${n}`;

/**
 * Readers, writers of posters and an agent that commits, all at once until `stop`. A writer counts up on its own poster
 * and remembers which numbers were acknowledged.
 */
export function startLoad(url: string, fixture: LoadFixture) {
  const { adminKey, organizationKey, eventId, posters } = fixture;
  const answers: Answer[] = [];
  const writers: Writer[] = posters.map((poster) => ({ poster, sent: 0, acknowledged: [] }));
  const committed: string[] = [];
  let stopped = false;

  async function timed(what: string, request: () => Promise<Reply>): Promise<Reply | undefined> {
    const startedAt = performance.now();
    const reply = await request().catch(() => undefined);
    const status = reply?.status ?? "no response";
    const retryAfter = reply?.headers.get("retry-after") ?? null;
    answers.push({ what, status, ms: performance.now() - startedAt, retryAfter });
    if (status !== 200) await sleep(20);
    return reply;
  }

  async function read(path: string): Promise<void> {
    while (!stopped) await timed(path, () => call(url, path, { key: adminKey }));
  }

  async function write(writer: Writer): Promise<void> {
    while (!stopped) {
      writer.sent += 1;
      const body = { posted_urls: { x: link(writer.poster, writer.sent) } };
      const reply = await timed(`PATCH ${writer.poster}`, () =>
        call(url, `/api/svc/posters/${writer.poster}`, { key: adminKey, body }),
      );
      if (reply?.status === 200) writer.acknowledged.push(writer.sent);
    }
  }

  /** Previews a change, and repeats its commit until it succeeds. */
  async function commit(): Promise<void> {
    for (let n = 1; !stopped; n++) {
      const preview = await tool({ event_id: eventId, description: `Version ${n}` });
      if (preview === undefined) continue;
      const args = { ...preview.commit_with, reason: "A test of faults" };
      let result: Record<string, unknown> | undefined;
      while (!stopped && result === undefined) result = await tool(args);
      if (result !== undefined) committed.push(args.idempotency_key);
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: results of every shape.
  async function tool(args: Record<string, unknown>): Promise<any> {
    const body = legacy("tools/call", { name: "update_event_details", arguments: args });
    const request = { key: organizationKey, method: "POST", body };
    const reply = await timed("tool", () => call(url, "/api/mcp", request));
    const { isError, structuredContent } = reply?.json?.result ?? { isError: true };
    if (isError && structuredContent !== undefined) expect(structuredContent.error.code).toBe("unavailable");
    return isError ? undefined : structuredContent;
  }

  const clients = [
    ...["/api/svc/ping", "/api/svc/posters?limit=20", "/api/svc/conferences", `/api/svc/posters/${posters[0]}`].map(
      read,
    ),
    ...writers.map(write),
    commit(),
  ];
  return {
    answers,
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
    /** Every acknowledged write exists exactly once, with its record, and the last record is what is stored. */
    async expectNothingLost(db: Database): Promise<void> {
      for (const { poster, acknowledged, sent } of writers) {
        const records = await db.query<{ before: string | null; after: string }>(sql`
          select before #>> '{poster,posted_urls,x}' as before, after #>> '{poster,posted_urls,x}' as after
          from mutation_records where request->>'poster_id' = ${poster}`);
        const stored = records.map(({ after }) => after);
        expect(new Set(stored).size).toBe(stored.length);
        for (const n of acknowledged) expect(stored).toContain(link(poster, n));
        const [row] = await db.query<{ x: string | null }>(
          sql`select posted_urls->>'x' as x from posters where id = ${poster}`,
        );
        const successors = new Map(records.map(({ before, after }) => [before, after]));
        let last: string | null = null;
        for (let next = successors.get(last); next !== undefined; next = successors.get(last)) last = next;
        expect(row?.x ?? null).toBe(last);
        expect(acknowledged.length).toBeLessThanOrEqual(sent);
      }
      const [counted] = await db.query<{ count: number }>(sql`
        select count(distinct idempotency_key) as count from mutation_records
        where idempotency_key = any(${committed})
        having count(*) = count(distinct idempotency_key)`);
      expect(counted?.count ?? "not once each").toBe(committed.length);
    },
    acknowledged: () => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0) + committed.length,
  };
}

export type Load = ReturnType<typeof startLoad>;
