// How many requests per second does one process serve, how much memory does it take, and how many connections?
// Usage: DATABASE_URL=postgres://… npm run bench:capacity [-- --clients 32 --seconds 5]
// Creates a database on that server and drops it at the end. This process takes CPU time too: leave it a core.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { Pool } from "undici";
import { createDataset, dropDatasets } from "./support/dataset.js";
import { executable } from "./support/service.js";

const { values } = parseArgs({
  options: { clients: { type: "string", default: "32" }, seconds: { type: "string", default: "5" } },
});
const clients = Number(values.clients);
const seconds = Number(values.seconds);

let child: ChildProcess | undefined;
try {
  const dataset = await createDataset(10_000, 100);
  const key = dataset.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  const url = await start(dataset.databaseUrl);
  await sleep(2_000);
  console.log(`at rest: ${memoryMb()} MB resident`);
  const paths = {
    ping: "/api/svc/ping",
    "list, 1 poster": "/api/svc/posters?limit=1",
    "list, 50 posters": "/api/svc/posters?limit=50",
    "description, no key": "/api/svc",
  };
  await measure(url, paths.ping, key, 1);
  const lines = [];
  for (const [name, path] of Object.entries(paths)) {
    const connected = sleep((seconds * 1000) / 2).then(() => countConnections(dataset.databaseUrl));
    lines.push({ name, ...(await measure(url, path, key, seconds)), connections: await connected });
  }
  console.table(lines);
} finally {
  if (child !== undefined && child.exitCode === null) {
    child.kill("SIGINT");
    await once(child, "close");
  }
  await dropDatasets();
}

async function start(databaseUrl: string): Promise<string> {
  const started = spawn(process.execPath, [executable, "serve", "--port", "0", "--json"], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: "10",
      REST_LIMIT: "1000000",
      LOG_LEVEL: process.env.LOG_LEVEL ?? "info",
    },
    // A pipe that is read, as a supervisor reads it.
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  started.stderr.resume();
  let text = "";
  for await (const chunk of started.stdout) {
    text += String(chunk);
    if (text.endsWith("}\n")) return (JSON.parse(text) as { url: string }).url;
  }
  throw new Error("the service exited before it was ready");
}

/** Each client sends its next request when it has the response. */
async function measure(url: string, path: string, key: string, forSeconds: number) {
  const pool = new Pool(url, { connections: clients });
  const times: number[] = [];
  let peak = 0;
  const cpuBefore = cpuSeconds();
  const startedAt = performance.now();
  const end = startedAt + forSeconds * 1000;
  const sample = setInterval(() => {
    peak = Math.max(peak, memoryMb());
  }, 100);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const before = performance.now();
        const { statusCode, body } = await pool.request({
          path,
          method: "GET",
          headers: { authorization: `Bearer ${key}` },
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
        times.push(performance.now() - before);
      }
    }),
  );
  clearInterval(sample);
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds() - cpuBefore;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1);
  return {
    "requests/s": Math.round(times.length / elapsed),
    "p50 ms": at(0.5),
    "p95 ms": at(0.95),
    "cores used": (cpu / elapsed).toFixed(2),
    "CPU ms/request": ((cpu * 1000) / times.length).toFixed(2),
    "peak MB": peak,
  };
}

/** From /proc: resident memory of the service. */
function memoryMb(): number {
  const status = readFileSync(`/proc/${child?.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** From /proc: user and system time of the service, in ticks of 10 ms. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${child?.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Of the service, to its database. Connections without work are closed, so it is counted under load. */
async function countConnections(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
  return rows[0]?.count ?? 0;
}
