import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/db.js";
import { call, type Reply } from "../support/call.js";
import { embeddedConnection } from "../support/embedded.js";
import { type Running, startCommand, svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { findFreePort, launchServe } from "./launch.js";
import { expectRefusal } from "./refusal.js";

const folders: string[] = [];
async function createDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

type Demo = {
  counts: Record<string, number>;
  keys: { tier: string; key: string }[];
  people: { email: string; password: string }[];
  commands: string[];
};

const tiers = ["super-admin", "conference", "organization"];

describe("svc serve with an embedded database and demo data", () => {
  let env: { DATA_DIR: string; REST_LIMIT: string; LOG_LEVEL: string };
  let server: Running;
  let demo: Demo;
  let key: string;
  let imagePath: string;
  let ticketing: TicketedEvent;
  beforeAll(async () => {
    env = { DATA_DIR: await createDataDir(), REST_LIMIT: "1000000", LOG_LEVEL: "warn" };
    server = await startCommand(["serve", "--port", "0", "--json"], env);
    demo = server.ready.demo as Demo;
    key = demo.keys[0]?.key ?? "";
  });
  afterAll(() => server.stop());
  const get = (path: string, url = server.ready.url) => call(url, path, { key });

  it("prints people who can sign in, the first of whom administers the platform", async () => {
    const sessions = demo.people.map(({ email, password }) =>
      call(server.ready.url, "/api/console/sign-in", {
        method: "POST",
        body: { email, password },
        headers: { origin: server.ready.url },
      }),
    );
    const found = (await Promise.all(sessions)).map(({ json }) => [
      json.person.platform_admin,
      json.organizations[0].role,
    ]);
    expect(found).toEqual([
      [true, "member"],
      [false, "member"],
    ]);
  });

  it("prints a working key of each tier and three example commands", async () => {
    expect(demo.keys.map(({ tier }) => tier)).toEqual(tiers);
    for (const each of demo.keys) {
      expect((await call(server.ready.url, "/api/svc/ping", { key: each.key })).status).toBe(200);
    }
    expect(demo.commands).toHaveLength(3);
    for (const command of demo.commands) {
      expect(command).toContain(server.ready.url);
      expect(command).toContain(key);
    }
    const address = /"(http[^"]+limit=1)"/.exec(demo.commands[1] ?? "")?.[1] ?? "";
    const { status, json } = await call(address, "", { key });
    expect(status).toBe(200);
    expect(json.items).toHaveLength(1);
    imagePath = json.items[0].image_url.slice(server.ready.url.length);
    expect(json.items[0].image_url).toBe(server.ready.url + imagePath);
  });

  it("starts a ticketing sandbox, which the proxy reaches", async () => {
    const { url } = server.ready;
    const organizationKey = demo.keys.find(({ tier }) => tier === "organization")?.key ?? "";
    ticketing = await findTicketedEvent(url, organizationKey);
    expect((await ticketing.get(url, "event/get?")).json.event.name).toEqual(expect.any(String));
    const guests = await ticketing.get(url, "event/get-guests?pagination_limit=5&");
    expect(guests.json.entries).toHaveLength(5);
    const added = await call(url, "/api/ticketing/event/add-guests", {
      key: organizationKey,
      method: "POST",
      body: { event_id: ticketing.event, guests: [{ email: "late@example.com" }] },
    });
    expect([added.status, added.json]).toEqual([200, {}]);
    const { outbox_url } = (server.ready as unknown as { ticketing: { outbox_url: string } }).ticketing;
    expect((await call(outbox_url, "")).json.entries).toMatchObject([{ to: "late@example.com" }]);
  });

  it("refuses a second service on the same directory, in one line", async () => {
    const text = `is in use by svc serve (pid ${server.child.pid}, since `;
    const result = await svc(["serve", "--port", "0"], env);
    expect(result.stderr).toContain(text);
    expectRefusal(result, 1, /stop it, or set DATA_DIR to another directory/);
    expect((await get("/api/svc/ping")).status).toBe(200);
  });

  it("serves while other commands use the database", async () => {
    const [exported, listed] = await Promise.all([svc(["export"], env), svc(["keys", "list", "--json"], env)]);
    expect([exported.code, listed.code]).toEqual([0, 0]);
    expect(JSON.parse(exported.stdout).posters).toHaveLength(demo.counts.posters ?? 0);
    expect(JSON.parse(listed.stdout)).toHaveLength(3);
    expect(exported.stdout + listed.stdout).not.toContain(key);
  });

  it("finishes pending requests on SIGTERM and exits with 0", async () => {
    const { url } = server.ready;
    const [poster] = (await get("/api/svc/posters?limit=1")).json.items;
    // A connection without a request must not delay the shutdown.
    const idle = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
    const slow = await startSlowPatch(`${url}/api/svc/posters/${poster.id}`, key);
    const stopped = server.stop("SIGTERM");
    await until(async () => (await get("/api/svc/ping").catch(() => "refused")) === "refused");
    slow.finish();
    expect(await slow.status).toBe(200);
    expect(await stopped).toBe(0);
    idle.destroy();
  });

  it("keeps its data, does not print keys again, uses PUBLIC_URL in URLs, and ends its sandbox when killed", async () => {
    const port = await findFreePort();
    const args = ["--port", String(port)];
    const restarted = launchServe(args, { ...env, HOST: "0.0.0.0", PUBLIC_URL: "https://events.example.com/" });
    const text = await restarted.until("Ctrl-C");
    expect(text).toContain("is ready at https://events.example.com\n");
    expect(text).not.toContain("svc_mk_");
    expect(text).not.toContain("\x1b");
    const { json } = await get("/api/svc/posters?published=true&limit=1", `http://127.0.0.1:${port}`);
    expect(json.items[0].image_url).toBe(`https://events.example.com${imagePath}`);
    const image = await fetch(`http://127.0.0.1:${port}${imagePath}`);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
    const guest = await ticketing.get(`http://127.0.0.1:${port}`, "event/get-guest?email=late@example.com&");
    expect(guest.json.guest.user_email).toBe("late@example.com");
    const sandbox = /sandbox, at (\S+)/.exec(text)?.[1] ?? "";
    expect((await fetch(sandbox)).status).toBe(401);
    await restarted.end("SIGKILL");
    await until(() =>
      fetch(sandbox).then(
        () => false,
        () => true,
      ),
    );
    expect(server.output().stderr + restarted.stderr()).toBe("");
  });
});

describe("the first start", () => {
  it("loads the complete demo even if earlier starts failed, had no demo or were killed", async () => {
    const DATA_DIR = await createDataDir();
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { port } = blocker.address() as { port: number };
    const refused = await svc(["serve", "--port", String(port)], { DATA_DIR });
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

type TicketedEvent = { event: string; get(url: string, path: string): Promise<Reply> };

/** An event of the demo that is linked to the sandbox, and reads of it through the proxy. */
async function findTicketedEvent(url: string, key: string): Promise<TicketedEvent> {
  for (const conference of (await call(url, "/api/svc/conferences", { key })).json.items) {
    const { items } = (await call(url, `/api/svc/conferences/${conference.id}/events`, { key })).json;
    const event = items.find((item: { luma_url: string | null }) => item.luma_url !== null)?.id;
    if (event === undefined) continue;
    return { event, get: (base, path) => call(base, `/api/ticketing/${path}event_id=${event}`, { key }) };
  }
  throw new Error("the demo has no ticketed event for this key");
}

/** Keeps its connections open longer than the shutdown may take. */
const agent = new Agent({ keepAlive: true });

/** Starts a PATCH and sends only part of its body. */
async function startSlowPatch(url: string, key: string) {
  const body = JSON.stringify({ posted_urls: { x: "https://social.example.com/1" } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": body.length };
  const outgoing = request(url, { method: "PATCH", headers, agent });
  const responded = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.write(body.slice(0, 10));
  await once(outgoing, "socket");
  // There is no way to observe that the service has read the headers.
  await sleep(300);
  return {
    status: responded.then(([response]) => response.resume().statusCode),
    finish: () => outgoing.end(body.slice(10)),
  };
}

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
