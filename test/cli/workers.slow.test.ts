import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { call } from "../support/call.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { makerOn } from "../support/make.js";
import { withPostgresAndRedis } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { connectToEach, isRunning, type RunningWorkers, startWorkers, statusOf } from "../support/workers.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { startSlowPatch } from "./serve-support.js";

describe("--workers", () => {
  it.each(["0", "abc", "5000", "-1", "1.5", "129"])("refuses %s", async (value) => {
    expectRefusal(await parse(["serve", "--workers", value]), 2, /Expected a number of workers from 1 to 128\./);
  });

  it.each([
    [[], { WORKERS: "3" }, "3 workers need PostgreSQL: set DATABASE_URL, or set --workers (WORKERS) to 1"],
    [
      ["--workers", "2"],
      { DATABASE_URL: "postgres://127.0.0.1:1/none" },
      /^svc: 2 workers need Redis, or .*: set REDIS_URL/,
    ],
    [["--workers", "2"], { MCP_TOOLS: "speeches" }, /MCP_TOOLS=speeches: unknown entry: speeches/],
  ])("%j with %j is an error in one line", async (args, env, message) => {
    expectRefusal(await svc(["serve", "--port", "0", ...args], env), 1, message);
  });
});

/** In workers: exits while the file exists, and throws on SIGUSR2. */
const crashFile = join(tmpdir(), `svc-test-crash-${process.pid}`);
const planted = `
  import { existsSync } from "node:fs";
  if (process.argv[1].endsWith("worker-main.js")) {
    if (existsSync(${JSON.stringify(crashFile)})) process.exit(3);
    process.on("SIGUSR2", () => { throw new Error("planted") });
  }`;

/** In workers: a connection that is handed to one of them just before it stops listening waits in its channel. */
const slowClose = `
  import { Server } from "node:net";
  const { close } = Server.prototype;
  Server.prototype.close = function (...args) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    return close.apply(this, args);
  };`;

withPostgresAndRedis("svc serve --workers 2", () => {
  let database: OpenedDatabase;
  let db: Database;
  let env: Record<string, string>;
  let key: string;
  let poster: string;
  const started: RunningWorkers[] = [];
  beforeAll(async () => {
    database = await createPostgresDatabase();
    env = { ...database.env, REDIS_URL: process.env.REDIS_URL ?? "" };
  });
  afterAll(async () => {
    for (const each of started) await each.stop("SIGKILL");
    rmSync(crashFile, { force: true });
    await db?.close();
    await database.remove();
  });
  async function start(more: Record<string, string> = {}, code = planted): Promise<RunningWorkers> {
    const running = await startWorkers(2, { ...env, ...more }, code);
    started.push(running);
    if (db === undefined) {
      db = openDatabase(database.connection, { poolSize: 2, onIdleError: () => {} });
      const make = makerOn(db);
      key = await make.superAdminKey();
      poster = await make.poster(await make.event(await make.conference()));
    }
    return running;
  }
  const restartsOf = ({ lines }: RunningWorkers) =>
    lines().filter(({ msg }) => msg === "a worker ended unexpectedly: another one is started");
  const metric = async ({ operationsUrl }: RunningWorkers, series: string) => {
    const { text } = await call(operationsUrl, "/metrics");
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")
        .at(-1),
    );
  };
  const pings = 'svc_requests_total{endpoint="rest",route="/api/svc",method="GET",status="200"}';

  describe("while it runs", () => {
    let service: RunningWorkers;
    beforeAll(async () => {
      service = await start({ TICKETING_URL: "https://platform.invalid", TICKETING_API_KEY: "secret" });
    });

    it("serves one port with several processes, and says so once", async () => {
      expect(service.ready).toMatchObject({ workers: 2, rate_limits: "Redis" });
      const pids = await pidsOf(service);
      expect(pids).toHaveLength(2);
      expect(pids).not.toContain(service.child.pid);
      expect(service.output().stdout.match(/"url"/g)).toHaveLength(1);
    });

    it("adds up the metrics of its workers, and reports on the health of all", async () => {
      const before = await metric(service, pings);
      for (let sent = 0; sent < 6; sent++) expect(await statusOf(service.url, "/api/svc")).toBe(200);
      expect(await metric(service, pings)).toBe(before + 6);
      expect(await metric(service, "svc_workers_listening")).toBe(2);
      expect(await metric(service, 'svc_dependency_up{dependency="redis"}')).toBe(1);
      expect(await metric(service, "svc_ticketing_slots_limit")).toBe(300);
      expect(await metric(service, "process_start_time_seconds")).toBeLessThan(Date.now() / 1000);
      expect((await call(service.operationsUrl, "/livez")).json).toEqual({ alive: true });
      const { status, json } = await call(service.operationsUrl, "/readyz");
      expect([status, json.workers]).toEqual([200, { listening: 2, expected: 2 }]);
    });

    it("replaces a worker that is killed; connections of the other one are served without a gap, and no count is lost", async () => {
      const [[killed], [, agent]] = await twoWorkersOf(service);
      const before = await metric(service, pings);
      process.kill(killed, "SIGKILL");
      for (const end = performance.now() + 500; performance.now() < end; )
        expect(await statusOf(service.url, "/api/svc", agent)).toBe(200);
      expect(await metric(service, pings)).toBeGreaterThan(before);
      await until(() => service.lines().some(({ msg }) => msg === "the new worker listens"));
      expect(restartsOf(service)[0]).toMatchObject({ level: 50, worker: killed, signal: "SIGKILL", restart_ms: 100 });
      expect(await pidsOf(service)).not.toContain(killed);
      expect(await metric(service, "svc_worker_restarts_total")).toBe(1);
      expect(await metric(service, pings)).toBeGreaterThan(before);
      agent.destroy();
    });

    it("logs the crash of a worker before its end, in complete lines", async () => {
      const [crashed = 0] = await pidsOf(service);
      const endings = restartsOf(service).length;
      process.kill(crashed, "SIGUSR2");
      await until(() => restartsOf(service).length > endings);
      const lines = service.lines();
      const crash = lines.findIndex(({ msg }) => msg === "crashed: uncaughtException");
      expect(lines[crash]).toMatchObject({ level: 60, pid: crashed, err: { message: "planted" } });
      expect(lines.findIndex(({ worker }) => worker === crashed)).toBeGreaterThan(crash);
      await until(async () => (await metric(service, "svc_workers_listening")) === 2);
    });

    it("starts a worker that ends at once less and less often, and serves meanwhile", async () => {
      const [[killed], [, agent]] = await twoWorkersOf(service);
      const endings = restartsOf(service).length;
      writeFileSync(crashFile, "");
      process.kill(killed, "SIGKILL");
      await until(() => restartsOf(service).length >= endings + 4);
      const delays = restartsOf(service)
        .slice(endings)
        .map(({ restart_ms }) => Number(restart_ms));
      for (const [index, delay] of delays.entries()) if (index > 1) expect(delay).toBe((delays[index - 1] ?? 0) * 2);
      expect(await statusOf(service.url, "/api/svc", agent)).toBe(200);
      const { status, json } = await call(service.operationsUrl, "/readyz");
      expect([status, json.workers]).toEqual([200, { listening: 1, expected: 2 }]);
      rmSync(crashFile);
      await until(async () => (await metric(service, "svc_workers_listening")) === 2);
      agent.destroy();
    });

    it("ends all workers at once on a second signal, with 1", async () => {
      const pids = await pidsOf(service);
      const slow = await startSlowPatch(`${service.url}/api/svc/posters/${poster}`, key);
      slow.status.catch(() => {});
      service.child.kill("SIGTERM");
      await until(async () => (await call(service.operationsUrl, "/readyz")).status === 503);
      // Earlier it would be taken for a copy of the first.
      await sleep(1_500);
      expect(await service.stop("SIGTERM")).toBe(1);
      await until(() => !pids.some(isRunning));
    });
  });

  it("fails with the reason if a worker cannot start", async () => {
    writeFileSync(crashFile, "");
    const failed = await start({ LOG_LEVEL: "warn" });
    await until(() => failed.child.exitCode !== null);
    rmSync(crashFile);
    const error = "a worker ended with exit code 3 before it listened";
    expect([failed.child.exitCode, failed.ready]).toEqual([1, { error }]);
    expect(failed.output().stderr).toBe(`svc: ${error}\n`);
  });

  it("fails no request when SIGTERM drains it under load, and exits with 0", async () => {
    // Long enough for a busy machine to send all requests before the listeners are closed.
    const service = await start({ SHUTDOWN_GRACE_S: "15", LOG_LEVEL: "warn" });
    const slow = await startSlowPatch(`${service.url}/api/svc/posters/${poster}`, key);
    const outcomes: (number | string)[] = [];
    let isOver = false;
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const clients = agents.map(async (agent, index) => {
      while (!isOver) outcomes.push(await statusOf(service.url, "/api/svc", index % 2 === 0 ? agent : false));
    });
    await until(() => outcomes.length > 100);
    const stopped = service.stop("SIGTERM");
    await until(async () => (await call(service.operationsUrl, "/readyz")).status === 503);
    const before = outcomes.length;
    expect(await metric(service, "svc_draining")).toBe(1);
    await until(() => outcomes.length > before + 20);
    // As a load balancer does that has seen that it is not ready.
    isOver = true;
    await Promise.all(clients);
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
    await until(async () => (await statusOf(service.url, "/api/svc")) === "ECONNREFUSED");
    slow.finish();
    expect(await slow.status).toBe(200);
    expect(await stopped).toBe(0);
    expect(service.output().stderr).toBe("");
    for (const agent of agents) agent.destroy();
  });

  it.each(["SIGINT", "SIGHUP"] as const)(
    "drains once when a terminal sends %s to all of its processes",
    async (signal) => {
      const service = await start({}, "");
      const pids = await pidsOf(service);
      const slow = await startSlowPatch(`${service.url}/api/svc/posters/${poster}`, key);
      for (const pid of pids) process.kill(pid, "SIGUSR2");
      for (const pid of pids) process.kill(pid, signal);
      const stopped = service.stop(signal);
      await until(async () => (await statusOf(service.url, "/api/svc")) === "ECONNREFUSED");
      slow.finish();
      expect(await slow.status).toBe(200);
      expect(await stopped).toBe(0);
      expect(restartsOf(service)).toEqual([]);
      const ends = service.lines().filter(({ msg }) => msg === "stopped");
      expect(new Set(ends.map(({ pid }) => pid))).toEqual(new Set([...pids, service.child.pid]));
      for (const line of ends) expect(line).toMatchObject({ signal, version: expect.any(String) });
    },
  );

  it("leaves no client waiting that connects when the listeners are closed", async () => {
    const service = await start({ SHUTDOWN_GRACE_S: "1", LOG_LEVEL: "warn" }, slowClose);
    const slow = await startSlowPatch(`${service.url}/api/svc/posters/${poster}`, key);
    const outcomes = new Set<number | string>();
    const clients = Array.from({ length: 16 }, async () => {
      while (!outcomes.has("ECONNREFUSED")) outcomes.add(await statusOf(service.url, "/api/svc"));
    });
    const stopped = service.stop("SIGTERM");
    await Promise.all(clients);
    for (const closed of ["ECONNRESET", "EPIPE"]) outcomes.delete(closed);
    expect([...outcomes].sort()).toEqual([200, "ECONNREFUSED"]);
    // It would have been aborted if a client had waited for long.
    slow.finish();
    expect(await slow.status).toBe(200);
    expect(await stopped).toBe(0);
  });

  it("finishes its requests and ends all workers if the primary is killed", async () => {
    const service = await start();
    const pids = await pidsOf(service);
    const slow = await startSlowPatch(`${service.url}/api/svc/posters/${poster}`, key);
    process.kill(service.child.pid ?? 0, "SIGKILL");
    await until(async () => (await statusOf(service.url, "/api/svc")) === "ECONNREFUSED");
    slow.finish();
    expect(await slow.status).toBe(200);
    await until(() => !pids.some(isRunning));
  });

  it("closes connections beyond MAX_CONNECTIONS of each worker, and makes room for others", async () => {
    const service = await start({ MAX_CONNECTIONS: "2" });
    const { port } = new URL(service.url);
    const open = async () => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
      await once(socket, "connect");
      return socket.resume();
    };
    const sockets = await Promise.all(Array.from({ length: 12 }, open));
    await until(() => sockets.filter(({ closed }) => !closed).length <= 4);
    // Those that are idle for a second are closed when another one comes.
    await until(async () => (await statusOf(service.url, "/livez")) === 200);
    for (const socket of sockets) socket.destroy();
    expect(await service.stop()).toBe(0);
  });

  /** The process ids of the workers, and an agent with a connection to each. */
  async function twoWorkersOf(service: RunningWorkers): Promise<[[number, Agent], [number, Agent]]> {
    const [one, other] = await connectToEach(service, 2);
    if (one === undefined || other === undefined) throw new Error("expected two workers");
    return [one, other];
  }

  async function pidsOf(service: RunningWorkers): Promise<number[]> {
    return (await twoWorkersOf(service)).map(([pid, agent]) => {
      agent.destroy();
      return pid;
    });
  }
});
