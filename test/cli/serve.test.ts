import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/platform/db.js";
import { call } from "../support/service.js";
import { launchServe, type Running, startCommand, svc } from "../support/svc.js";
import { expectRefusal } from "./refusal.js";
import { embeddedConnection } from "./served.js";

const folders: string[] = [];
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  folders.push(folder);
  return folder;
};
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const serve = ["serve", "--port", "0"];

describe("an embedded service with demo data", () => {
  let env: { DATA_DIR: string; REST_LIMIT: string };
  let server: Running;
  let key: string;
  beforeAll(async () => {
    env = { DATA_DIR: await newFolder(), REST_LIMIT: "1000000" };
    server = await startCommand([...serve, "--json"], env);
    key = server.ready.demo?.keys[0]?.key ?? "";
  });
  afterAll(() => server.stop());

  it("prints one working key of each tier and three commands", async () => {
    const { demo, url } = server.ready;
    expect(demo?.keys.map(({ tier }) => tier)).toEqual(["super-admin", "conference", "organization"]);
    for (const each of demo?.keys ?? []) expect((await call(url, "/api/svc/ping", each)).status).toBe(200);
    expect(demo).toMatchObject({ commands: [/^curl /, /^curl /, /^SVC_KEY=/].map((text) => expect.stringMatching(text)) });
    for (const command of demo?.commands ?? []) expect(command).toContain(url);
  });

  it("refuses a second one on the same folder", async () => {
    const result = await svc(["serve", "--port", "0"], env);
    expectRefusal(result, 1, `is in use by svc serve (pid ${server.child.pid}, since `);
    expect((await call(server.ready.url, "/api/svc/ping", { key })).status).toBe(200);
  });

  it("works beside every other command", async () => {
    const [exported, listed] = await Promise.all([svc(["export"], env), svc(["keys", "list", "--json"], env)]);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(exported.stdout)).toMatchObject({ conferences: expect.anything(), posters: expect.anything() });
    expect(JSON.parse(listed.stdout)).toHaveLength(3);
  });

  it("finishes what is under way when it is asked to stop, and exits with 0", async () => {
    const { url } = server.ready;
    const [poster] = (await call(url, "/api/svc/posters?limit=1", { key })).json.data;
    // Connections without a request must not hold it up.
    const silent = connect(Number(new URL(url).port), "127.0.0.1");
    silent.on("error", () => {});
    const { answer, finish } = await startSlowPatch(`${url}/api/svc/posters/${poster.id}`, key);
    const stopped = server.stop("SIGTERM");
    await sleep(100);
    await expect(call(url, "/api/svc/ping", { key })).rejects.toThrow();
    finish();
    expect(await answer).toBe(200);
    expect(await stopped).toBe(0);
    silent.destroy();
  });

  it("keeps its data, shows no key again, and gives addresses under the new PUBLIC_URL", async () => {
    const started = await launchServe(serve, { ...env, HOST: "0.0.0.0", PUBLIC_URL: "https://events.example.com/" });
    expect(started.text).toContain("is ready at https://events.example.com\n");
    expect(started.text).not.toMatch(/svc_mk_|\x1b/);
    const again = await startCommand([...serve, "--json"], { ...env, DATA_DIR: await newFolder() }).catch(() => undefined);
    await again?.stop();
    await started.stop("SIGINT");
  });
});
