import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { callTool } from "../mcp/messages.js";
import type { CallOptions } from "../support/call.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createMigratedDatabase, onServer } from "../support/postgres.js";
import { publicUrl } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { until } from "../support/until.js";
import { type ObservedService, startObservedService } from "./observed-service.js";

const password = "four unrelated words";
const sentence = "The database is read-only at present, so that nothing can be changed. Try again in 2 s";

withPostgres("a read-only database", () => {
  let database: OpenedDatabase;
  let name: string;
  let server: string;
  let service: ObservedService;
  let adminKey: string;
  let organizationKey: string;
  let organization: string;
  let event: string;
  let poster: string;
  let email: string;
  let cookie: string;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    const url = new URL(database.env.DATABASE_URL ?? "");
    name = url.pathname.slice(1);
    server = Object.assign(url, { pathname: "/postgres" }).href;
    service = await startObservedService(null, {}, database.connection);
    const { make, db } = service;
    organization = await make.organization();
    event = await service.linkedEvent(organization);
    [adminKey, organizationKey] = [await make.superAdminKey(), await make.organizationKey(organization)];
    poster = await make.poster(event);
    const userId = await make.member(organization);
    await savePasswordHash(db, userId, await hashPassword(password));
    [{ email }] = (await db.query<{ email: string }>(sql`select email from users where id = ${userId}`)) as [
      { email: string },
    ];
    cookie = (await signIn()).headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    await db.query(sql`update sessions set last_used_at = now() - interval '2 hours'`);
  });
  afterAll(async () => {
    await service.close();
    await database.remove();
  });

  const consoleCall = (path: string, options: CallOptions = {}, url = service) =>
    url.call(`/api/console/${path}`, { ...options, headers: { origin: publicUrl, cookie } });
  const signIn = () => consoleCall("sign-in", { method: "POST", body: { email, password } });
  const patch = () =>
    service.call(`/api/svc/posters/${poster}`, {
      key: adminKey,
      body: { posted_urls: { x: "https://social.example.com/1" } },
    });

  /** For connections that are made from now on, and for all that are open, because those are ended. */
  async function setReadOnly(value: "on" | "off"): Promise<void> {
    await onServer(server, `alter database ${name} set default_transaction_read_only = ${value}`);
    await endConnections();
  }
  /** Of all clients of the database, or of those whose last statement is like this; resolves when they are gone. */
  async function endConnections(lastStatement = "%"): Promise<void> {
    const condition = `datname = '${name}' and query like '${lastStatement}'`;
    const ended = await onServer(server, `select pid as name from pg_stat_activity where ${condition}`);
    const pids = ended.map(({ name: pid }) => pid).join(",");
    await onServer(server, `select pg_terminate_backend(pid) from unnest(array[${pids}]::int[]) pid`);
    const remaining = `select pid as name from pg_stat_activity where pid = any (array[${pids}]::int[])`;
    await until(async () => (await onServer(server, remaining)).length === 0);
  }

  const health = async () => {
    const { status, json } = await service.call("/readyz");
    return [status, json.checks.database];
  };
  const metrics = async () => {
    const { body } = await service.metrics.text();
    return body.match(/^svc_(database_writable|dependency_up\{dependency="database"\}) \d/gm);
  };

  it("is told from one that is away, serves reads, refuses changes with 503, and is left without a restart", async () => {
    expect(await health()).toEqual([200, "ok"]);
    expect((await patch()).status).toBe(200);
    const { commit_with: commit } = (await preview()).structuredContent;

    await setReadOnly("on");
    await expect.poll(health).toEqual([200, "read_only"]);
    expect(await metrics()).toEqual(['svc_dependency_up{dependency="database"} 1', "svc_database_writable 0"]);

    for (const path of ["ping", "conferences", "posters?limit=5", `posters/${poster}`, `events/${event}/posters`])
      expect((await service.call(`/api/svc/${path}`, { key: adminKey })).status, path).toBe(200);
    expect((await preview()).structuredContent.dry_run).toBe(true);
    // A second process has not read the secret of the database yet, from which tokens of sessions are derived.
    const other = await startObservedService(null, {}, database.connection);
    for (const path of ["session", `organizations/${organization}/dashboard`, `organizations/${organization}/events`])
      expect((await consoleCall(path, {}, other)).status, path).toBe(200);
    await other.close();

    const body = { event_id: event, guests: [{ email: "late@example.com" }] };
    const refused = await Promise.all([
      patch(),
      signIn(),
      consoleCall(`organizations/${organization}/tools/update_event_details`, {
        method: "POST",
        body: commitOf(commit),
      }),
      service.call("/api/ticketing/event/add-guests", { key: organizationKey, method: "POST", body }),
    ]);
    for (const { status, headers, json } of refused)
      expect([status, headers.get("retry-after"), json.error]).toEqual([503, "2", sentence]);
    const tool = (await callTool(service, organizationKey, "update_event_details", commitOf(commit))).result;
    expect(tool).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "unavailable", message: sentence, retry_after_seconds: 2 } },
    });
    expect(service.upstream.received.filter(({ method }) => method === "POST")).toEqual([]);

    await setReadOnly("off");
    await expect.poll(health).toEqual([200, "ok"]);
    expect((await patch()).status).toBe(200);
    expect((await callTool(service, organizationKey, "update_event_details", commitOf(commit))).result.isError).toBe(
      undefined,
    );
    expect(await metrics()).toEqual(['svc_dependency_up{dependency="database"} 1', "svc_database_writable 1"]);
    const lines = service.logged().lines.filter(({ dependency }) => dependency === "database");
    expect(lines.map(({ msg }) => msg).filter((msg) => /read-only|takes changes/.test(msg))).toEqual([
      "the database is read-only: changes are refused with 503",
      "the database takes changes again",
    ]);
    expect(service.logged().lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  const preview = async () =>
    (await callTool(service, organizationKey, "update_event_details", { event_id: event, description: "New" })).result;
  const commitOf = (commit: Record<string, unknown>) => ({ ...commit, reason: "A test" });

  it("makes all connections anew, also those that are never without a statement", async () => {
    const db = openServiceDatabase(database.connection, { poolSize: 4 });
    const pids = { lookups: new Set<number>(), reads: new Set<number>() };
    let isOver = false;
    const read = async (source: "lookups" | "reads") => {
      const queryable = source === "lookups" ? db.lookups : db;
      while (!isOver) {
        const [row] = await queryable.query<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(0.001)`);
        pids[source].add(row?.pid ?? 0);
      }
    };
    const readers = [...Array(40).fill("reads"), ...Array(4).fill("lookups")].map(read);
    const collected = async () => {
      for (const set of Object.values(pids)) set.clear();
      await until(() => Object.values(pids).every(({ size }) => size > 0));
      await sleep(50);
      return [...pids.lookups, ...pids.reads];
    };
    let reconnects = 0;
    const listener = db.listen("svc_test", {
      onPayload() {},
      onReconnect: () => reconnects++,
    });
    expect(await db.checkWritable()).toBe(true);
    const before = await collected();
    // Only what is connected anew is read-only, as if the address now led to another server.
    await onServer(server, `alter database ${name} set default_transaction_read_only = on`);
    expect(await db.checkWritable()).toBe(true);
    await endConnections("%for update%");
    await until(async () => !(await db.checkWritable().catch(() => true)));
    await until(async () => !(await collected()).some((pid) => before.includes(pid)));
    await until(() => reconnects > 0);
    isOver = true;
    await Promise.all(readers);
    await listener.close();
    await db.close();
    await onServer(server, `alter database ${name} reset default_transaction_read_only`);
  });
});
