import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
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

type Demo = { counts: Record<string, number>; keys: { tier: string; key: string }[] };

const tiers = ["super-admin", "conference", "organization"];

describe("svc serve", () => {
  it("serves while other commands use the database; the next start keeps its data, prints no keys but how to set the demo password, and uses PUBLIC_URL", async () => {
    const env = { DATA_DIR: await createDataDir(), REST_LIMIT: "1000000", LOG_LEVEL: "warn" };
    const server = await startCommand(["serve", "--port", "0", "--json"], env);
    const demo = server.ready.demo as Demo;
    const key = demo.keys[0]?.key ?? "";
    const organizationKey = demo.keys.find(({ tier }) => tier === "organization")?.key ?? "";
    const get = (path: string, url = server.ready.url) => call(url, path, { key });
    const ticketing = await findTicketedEvent(server.ready.url, organizationKey);
    const body = { event_id: ticketing.event, guests: [{ email: "late@example.com" }] };
    await call(server.ready.url, "/api/ticketing/event/add-guests", { key: organizationKey, method: "POST", body });
    const [exported, listed] = await Promise.all([svc(["export"], env), svc(["keys", "list", "--json"], env)]);
    expect([exported.code, listed.code]).toEqual([0, 0]);
    expect(JSON.parse(exported.stdout).posters).toHaveLength(demo.counts.posters ?? 0);
    expect(JSON.parse(listed.stdout)).toHaveLength(3);
    expect(exported.stdout + listed.stdout).not.toContain(key);
    const [poster] = (await get("/api/svc/posters?published=true&limit=1")).json.items;
    const imagePath = new URL(poster.image_url).pathname;
    expect(await server.stop("SIGTERM")).toBe(0);

    const port = await findFreePort();
    const args = ["--port", String(port)];
    const restarted = launchServe(args, { ...env, HOST: "0.0.0.0", PUBLIC_URL: "https://events.example.com/" });
    const text = await restarted.until("Ctrl-C");
    expect(text).toContain("is ready at https://events.example.com\n");
    expect(text).not.toContain("svc_mk_");
    expect(text).not.toContain("\x1b");
    await setDemoPassword(text, env, `http://127.0.0.1:${port}`);
    const { json } = await get("/api/svc/posters?published=true&limit=1", `http://127.0.0.1:${port}`);
    expect(json.items[0].image_url).toBe(`https://events.example.com${imagePath}`);
    expect((await fetch(`http://127.0.0.1:${port}${imagePath}`)).status).toBe(200);
    const guest = await ticketing.get(`http://127.0.0.1:${port}`, "event/get-guest?email=late@example.com&");
    expect(guest.json.guest.user_email).toBe("late@example.com");
    const sandbox = /sandbox, at (\S+)/.exec(text)?.[1] ?? "";
    expect((await fetch(sandbox)).status).toBe(401);
    await restarted.end("SIGKILL");
    // The sandbox ends with the process that started it.
    await until(() =>
      fetch(sandbox).then(
        () => false,
        () => true,
      ),
    );
    expect(server.output().stderr + restarted.stderr()).toBe("");
  });
});

/** Runs the command that a later start prints, and signs in. */
async function setDemoPassword(text: string, env: Record<string, string>, url: string): Promise<void> {
  const args = /^Lost the demo password\? \S*svc (.*)$/m.exec(text)?.[1]?.split(" ") ?? [];
  const password = "a new phrase for the demo";
  expect((await svc([...args, "--password-stdin"], env, password)).code).toBe(0);
  const body = { email: args.at(-1), password };
  const headers = { origin: "https://events.example.com" };
  expect((await call(url, "/api/console/sign-in", { method: "POST", body, headers })).status).toBe(200);
}

describe("the first start", () => {
  it("loads the complete demo even if earlier starts failed, had no demo or were killed", async () => {
    const DATA_DIR = await createDataDir();
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

    const third = launchServe(["--port", "0"], { DATA_DIR });
    const text = await third.until("Ctrl-C");
    const url = /ready at (\S+)/.exec(text)?.[1] ?? "";
    const keys = [...text.matchAll(/^ {2}(\S+) +(svc_mk_\w+) /gm)].map(([, tier = "", key = ""]) => ({ tier, key }));
    expect(keys.map(({ tier }) => tier)).toEqual(tiers);
    for (const { key } of keys) expect((await call(url, "/api/svc/ping", { key })).status).toBe(200);
    expect(text.match(/^ {2}(curl|SVC_KEY=)/gm)).toHaveLength(3);
    const counts = /Demo data: (.*)\.\n/.exec(text)?.[1] ?? "";
    const db = openDatabase(await embeddedConnection(DATA_DIR), { poolSize: 1, onIdleError: () => {} });
    expect(counts).toMatch(`${await countOf(db, "events")} events, ${await countOf(db, "posters")} posters, `);
    await db.close();
    expect(await third.end("SIGTERM")).toBe(0);
  }, 120_000);
});

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

it("a start on a damaged database ends, and says so in one line", async () => {
  const DATA_DIR = await createDataDir();
  const first = await startCommand(["serve", "--no-demo", "--json"], { DATA_DIR, PORT: "0" });
  expect(await first.stop("SIGINT")).toBe(0);
  await writeFile(join(DATA_DIR, "pg", "global", "pg_control"), "x");
  const refused = await svc(["serve"], { DATA_DIR, PORT: "0", LOG_LEVEL: "warn" });
  expectRefusal(refused, 1, /the database in \S+ cannot be opened: .*pg_control/);
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
