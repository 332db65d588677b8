import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { isDatabaseEmpty } from "../../demo/database-empty.js";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { call } from "../support/call.js";
import { embeddedConnection } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { startCommand, svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { findFreePort, launchServe } from "./launch.js";
import { expectRefusal } from "./refusal.js";
import { findTicketedEvent, useDataDirs } from "./serve-support.js";

const createDataDir = useDataDirs();

const tiers = ["super-admin", "conference", "organization"];

type Demo = { text: string; url: string; keys: { tier: string; key: string }[] };

it("svc serve loads the complete demo although earlier starts failed, had none or were killed, and keeps it", async () => {
  const DATA_DIR = await createDataDir();
  await failToLoadDemo(DATA_DIR);
  const env = { DATA_DIR, REST_LIMIT: "1000000", LOG_LEVEL: "warn" };
  const server = launchServe(["--port", "0"], env);
  const text = await server.until("Ctrl-C");
  const url = /ready at (\S+)/.exec(text)?.[1] ?? "";
  const keys = [...text.matchAll(/^ {2}(\S+) +(svc_mk_\w+) /gm)].map(([, tier = "", key = ""]) => ({ tier, key }));
  await expectCompleteDemo({ text, url, keys }, DATA_DIR);
  const [key = "", , organizationKey = ""] = keys.map((each) => each.key);
  const get = (path: string, base = url) => call(base, path, { key });
  const ticketing = await findTicketedEvent(url, organizationKey);
  const body = { event_id: ticketing.event, guests: [{ email: "late@example.com" }] };
  await call(url, "/api/ticketing/event/add-guests", { key: organizationKey, method: "POST", body });
  await expectCommandsBeside(env, key);
  const [poster] = (await get("/api/svc/posters?published=true&limit=1")).json.items;
  const imagePath = new URL(poster.image_url).pathname;
  expect(await server.end("SIGTERM")).toBe(0);

  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const more = { HOST: "0.0.0.0", PUBLIC_URL: "https://events.example.com/" };
  const restarted = launchServe(["--port", String(port)], { ...env, ...more });
  const printed = await restarted.until("Ctrl-C");
  expect(printed).toContain("is ready at https://events.example.com\n");
  expect(printed).not.toContain("svc_mk_");
  expect(printed).not.toContain("\x1b");
  await setDemoPassword(printed, env, origin);
  const { json } = await get("/api/svc/posters?published=true&limit=1", origin);
  expect(json.items[0].image_url).toBe(`https://events.example.com${imagePath}`);
  expect((await fetch(origin + imagePath)).status).toBe(200);
  const guest = await ticketing.get(origin, "event/get-guest?email=late@example.com&");
  expect(guest.json.guest.user_email).toBe("late@example.com");
  const sandbox = /sandbox, at (\S+)/.exec(printed)?.[1] ?? "";
  expect((await fetch(sandbox)).status).toBe(401);
  await restarted.end("SIGKILL");
  // The sandbox ends with the process that started it.
  await until(() =>
    fetch(sandbox).then(
      () => false,
      () => true,
    ),
  );
  expect(restarted.stderr()).toBe("");

  await writeFile(join(DATA_DIR, "pg", "global", "pg_control"), "x");
  const damaged = await svc(["serve"], { DATA_DIR, PORT: "0", LOG_LEVEL: "warn" });
  expectRefusal(damaged, 1, /the database in \S+ cannot be opened: .*pg_control/);
});

async function failToLoadDemo(DATA_DIR: string): Promise<void> {
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const { port } = blocker.address() as { port: number };
  const refused = await svc(["serve", "--port", String(port)], { DATA_DIR, LOG_LEVEL: "warn" });
  expectRefusal(refused, 1, `port ${port} on 127.0.0.1 is in use: choose another with --port`);
  blocker.close();

  const empty = await startCommand(["serve", "--no-demo", "--json"], { DATA_DIR, PORT: "0" });
  expect(empty.ready.demo).toBeNull();
  expect((await fetch(`${empty.ready.url}/api/svc`)).status).toBe(200);
  expect(await empty.stop("SIGINT")).toBe(0);

  const killed = launchServe(["--port", "0"], { DATA_DIR });
  await whileDemoLoads(DATA_DIR);
  await killed.end("SIGKILL");
}

async function expectCompleteDemo({ text, url, keys }: Demo, DATA_DIR: string): Promise<void> {
  expect(keys.map(({ tier }) => tier)).toEqual(tiers);
  for (const { key } of keys) expect((await call(url, "/api/svc/ping", { key })).status).toBe(200);
  expect(text.match(/^ {2}(curl|SVC_KEY=)/gm)).toHaveLength(3);
  const counts = /Demo data: (.*)\.\n/.exec(text)?.[1] ?? "";
  const db = openDatabase(await embeddedConnection(DATA_DIR), { poolSize: 1, onIdleError: () => {} });
  expect(counts).toMatch(`${await countOf(db, "events")} events, ${await countOf(db, "posters")} posters, `);
  await db.close();
}

async function expectCommandsBeside(env: Record<string, string>, key: string): Promise<void> {
  const [exported, listed] = await Promise.all([svc(["export"], env), svc(["keys", "list", "--json"], env)]);
  expect([exported.code, listed.code]).toEqual([0, 0]);
  expect(JSON.parse(exported.stdout).posters.length).toBeGreaterThan(10);
  expect(JSON.parse(listed.stdout)).toHaveLength(3);
  expect(exported.stdout + listed.stdout).not.toContain(key);
}

/** Runs the command that a later start prints, and signs in. */
async function setDemoPassword(text: string, env: Record<string, string>, url: string): Promise<void> {
  const args = /^Lost the demo password\? \S*svc (.*)$/m.exec(text)?.[1]?.split(" ") ?? [];
  const password = "a new phrase for the demo";
  expect((await svc([...args, "--password-stdin"], env, password)).code).toBe(0);
  const body = { email: args.at(-1), password };
  const headers = { origin: "https://events.example.com" };
  expect((await call(url, "/api/console/sign-in", { method: "POST", body, headers })).status).toBe(200);
}

withPostgres("on an empty database of an operator", () => {
  it("loads no demo data", async ({ onTestFinished }) => {
    const database = await createPostgresDatabase();
    onTestFinished(database.remove);
    const server = launchServe([], { ...database.env, PORT: "0", LOG_LEVEL: "warn" });
    const text = await server.until("Ctrl-C");
    expect(text).toMatch(/\nThe database is empty\. Demo data: \S*svc demo load; your own: \S*svc import --help\n/);
    expect(await server.end("SIGINT")).toBe(0);
    const db = openDatabase(database.connection, { poolSize: 1, onIdleError: () => {} });
    expect(await isDatabaseEmpty(db)).toBe(true);
    await db.close();
  });
});

/** Resolves when the tables exist and a statement is blocked by the one that loads the demo. */
async function whileDemoLoads(dataDir: string): Promise<void> {
  const db = await until(async () => {
    const connection = await embeddedConnection(dataDir).catch(() => undefined);
    if (connection === undefined) return undefined;
    const opened = openDatabase(connection, { poolSize: 1, onIdleError: () => {} });
    const ready = await opened.query(sql`select 'events'::regclass`).catch(() => undefined);
    if (ready === undefined) await opened.close();
    return ready === undefined ? undefined : opened;
  });
  for (;;) {
    const count = countOf(db, "events");
    // A blocked statement fails when the service is killed.
    count.catch(() => {});
    if ((await Promise.race([count, sleep(100).then(() => "blocked")])) === "blocked") break;
    expect(await count).toBe(0);
    await sleep(5);
  }
  void db.close();
}

async function countOf(db: Database, table: "events" | "posters"): Promise<number> {
  const statement = table === "events" ? sql`select count(*) from events` : sql`select count(*) from posters`;
  const [row] = await db.query<{ count: number }>(statement);
  return row?.count ?? -1;
}
