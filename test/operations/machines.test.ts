import { randomUUID } from "node:crypto";
import type { Agent } from "node:http";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { legacy } from "../mcp/messages.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { createEventFixture } from "../support/event-fixture.js";
import { type Make, makerOn } from "../support/make.js";
import { withPostgresAndRedis } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { connectToEach, type RunningWorkers, type SendOptions, send, startWorkers } from "../support/workers.js";

const limit = 40;
const password = "four unrelated words";

withPostgresAndRedis("two machines with two workers each, on one PostgreSQL and one Redis", () => {
  let database: OpenedDatabase;
  let db: Database;
  let make: Make;
  const machines: RunningWorkers[] = [];
  /** One per process, of both machines. */
  const processes: { agent: Agent; url: string }[] = [];
  beforeAll(async () => {
    database = await createPostgresDatabase();
    db = openDatabase(database.connection, { poolSize: 2, onIdleError: () => {} });
    make = makerOn(db);
    const env = { ...database.env, REDIS_URL: process.env.REDIS_URL ?? "", REST_LIMIT: String(limit) };
    for (let machine = 0; machine < 2; machine++) {
      const running = await startWorkers(2, env);
      machines.push(running);
      for (const agent of (await connectToEach(running, 2)).values()) processes.push({ agent, url: running.url });
    }
  });
  afterAll(async () => {
    for (const { agent } of processes) agent.destroy();
    await Promise.all(machines.map((machine) => machine.stop()));
    await db.close();
    await database.remove();
  });
  const sendTo = (index: number, path: string, options: SendOptions = {}) => {
    const { agent, url } = processes[index % processes.length] ?? { agent: false as const, url: "" };
    return send(agent, url, path, { ...options, headers: { origin: url, ...options.headers } });
  };
  const sendToEach = (path: string, options: SendOptions = {}) =>
    Promise.all(processes.map((_, index) => sendTo(index, path, options)));
  const statuses = async (path: string, key: string) => (await sendToEach(path, { key })).map(({ status }) => status);

  it("refuse a key with the next request after it was revoked through one of them", async () => {
    const { organizationId, caller } = await createEventFixture(db);
    await savePasswordHash(db, caller.userId, await hashPassword(password));
    const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${caller.userId}`);
    const signedIn = await sendTo(0, "/api/console/sign-in", {
      method: "POST",
      body: { email: user?.email, password },
    });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    for (const index of processes.keys()) {
      const key = await make.organizationKey(organizationId, { userId: caller.userId });
      expect(await statuses("/api/svc/ping", key)).toEqual([200, 200, 200, 200]);
      const change = (body: object) =>
        sendTo(index, `/api/console/organizations/${organizationId}/tools/revoke_api_key`, {
          method: "POST",
          headers: { cookie },
          body,
        });
      const preview = await change({ key_id: await make.keyId(key) });
      const revoked = await change({ ...preview.json.commit_with, reason: "for the test" });
      expect([revoked.status, revoked.json.after?.key.state]).toEqual([200, "revoked"]);
      expect(await statuses("/api/svc/ping", key)).toEqual([401, 401, 401, 401]);
    }
  });

  it("show a change with the next read after it was made through any of them", async () => {
    const poster = await make.poster(await make.event(await make.conference()));
    const key = await make.superAdminKey();
    const path = `/api/svc/posters/${poster}`;
    expect(await statuses(path, key)).toEqual([200, 200, 200, 200]);
    for (const index of processes.keys()) {
      const link = `https://social.example.com/${randomUUID()}`;
      const patched = await sendTo(index, path, { key, method: "PATCH", body: { posted_urls: { x: link } } });
      expect(patched.status).toBe(200);
      const reads = await sendToEach(path, { key });
      expect(reads.map(({ json }) => json.posted_urls.x)).toEqual([link, link, link, link]);
      expect(new Set(reads.map(({ headers }) => headers.etag)).size).toBe(1);
    }
  });

  it("count one rate limit", async () => {
    const key = await make.superAdminKey();
    const replies = await Promise.all(
      Array.from({ length: limit + 8 }, (_, index) => sendTo(index, "/api/svc/ping", { key })),
    );
    const allowed = replies.filter(({ status }) => status === 200);
    expect(allowed).toHaveLength(limit);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(8);
    const remaining = allowed.map(({ headers }) => Number(headers["x-ratelimit-remaining"]));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, index) => index));
  });

  it("execute a commit once that all of them get at the same time", async () => {
    const { organizationId, eventId, caller } = await createEventFixture(db);
    const key = await make.organizationKey(organizationId, { userId: caller.userId });
    const callTool = async (index: number, args: object) => {
      const body = legacy("tools/call", { name: "update_event_details", arguments: { event_id: eventId, ...args } });
      const headers = { accept: "application/json, text/event-stream" };
      for (;;) {
        const { json } = await sendTo(index, "/api/mcp", { key, method: "POST", body, headers });
        // On a busy machine, the others may hold the lock for longer than a commit waits: a client tries again.
        if (json.result.structuredContent.error?.code !== "unavailable") return json.result;
      }
    };
    const preview = await callTool(0, { venue: "Hall 2" });
    const commit = { ...preview.structuredContent.commit_with, reason: "for the test" };
    const results = await Promise.all(Array.from({ length: 12 }, (_, index) => callTool(index, commit)));
    expect(results.filter(({ _meta }) => _meta?.replayed === true)).toHaveLength(11);
    const [records] = await db.query<{ count: number }>(
      sql`select count(*) from mutation_records where organization_id = ${organizationId}`,
    );
    expect(records?.count).toBe(1);
  });
});
