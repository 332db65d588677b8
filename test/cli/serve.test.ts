import { Agent } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.js";
import { type Running, startCommand, svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { expectRefusal } from "./refusal.js";
import { findTicketedEvent, startSlowPatch, useDataDirs } from "./serve-support.js";

const createDataDir = useDataDirs();

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
  beforeAll(async () => {
    env = { DATA_DIR: await createDataDir(), REST_LIMIT: "1000000", LOG_LEVEL: "warn" };
    server = await startCommand(["serve", "--port", "0", "--json"], { ...env, LOG_LEVEL: "info" });
    demo = server.ready.demo as Demo;
    key = demo.keys[0]?.key ?? "";
  });
  afterAll(() => server.stop());
  const get = (path: string, url = server.ready.url) => call(url, path, { key });

  it("logs the steps of the first start as JSON lines", () => {
    const lines = server.output().stderr.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      expect.arrayContaining([
        `creating the database in ${env.DATA_DIR}`,
        expect.stringMatching(/^preparing the schema: \d+ migrations$/),
        expect.stringMatching(/^loading the demo data: \d+ images$/),
        expect.stringMatching(/^loading the demo data: \d+ rows$/),
      ]),
    );
  });

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
    expect(json.items[0].image_url).toMatch(server.ready.url);
    const image = await fetch(json.items[0].image_url);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
  });

  it("starts a ticketing sandbox, which the proxy reaches", async () => {
    const { url } = server.ready;
    const organizationKey = demo.keys.find(({ tier }) => tier === "organization")?.key ?? "";
    const ticketing = await findTicketedEvent(url, organizationKey);
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

  it("finishes pending requests on SIGTERM and exits with 0", async () => {
    const { url } = server.ready;
    const [poster] = (await get("/api/svc/posters?limit=1")).json.items;
    // A connection without a request must not delay the shutdown.
    const idle = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
    // Keeps its connection open longer than the shutdown may take.
    const agent = new Agent({ keepAlive: true });
    const slow = await startSlowPatch(`${url}/api/svc/posters/${poster.id}`, key, agent);
    const stopped = server.stop("SIGTERM");
    await until(async () => (await get("/api/svc/ping").catch(() => "refused")) === "refused");
    slow.finish();
    expect(await slow.status).toBe(200);
    expect(await stopped).toBe(0);
    idle.destroy();
  });
});
