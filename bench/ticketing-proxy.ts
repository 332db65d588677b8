// Measures the latency that the ticketing proxy adds to a call of the platform, and whether its memory stays flat.
// Usage: npm run bench:ticketing [-- --requests 100000]   (creates a database on DATABASE_URL; embedded by default)
// The platform is the sandbox on loopback, called directly and through the proxy in alternating rounds, 50 requests in flight.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { Pool } from "undici";
import { executable } from "./support/service.js";

const { values } = parseArgs({ options: { requests: { type: "string", default: "100000" } } });
const inFlight = 50;
/** Average response times of the platform: a remote one, and 0 for full load, which has no target. */
const latenciesMs = [50, 0];
const rounds = 20;
const roundMs = 1_000;
/** Lets the JIT compile both code paths before they are measured. */
const warmUpMs = 8_000;
const targetMs = 1;
/** Allows for garbage not yet collected; a leak of 1 KB per request would add 100 MB. */
const allowedGrowth = 1.1;

const eventId = "6f1d8a52-3c0b-4e7d-9a41-5b2f7c8e9d10";
const ticketingId = "evt-Bench";
const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
const running: ChildProcess[] = [];
const server = process.env.DATABASE_URL;
const database = `svc_bench_${randomBytes(4).toString("hex")}`;

type Target = { pool: Pool; path: string; headers: Record<string, string> };

try {
  const environment = await createDatabase();
  const key = await makeData(environment);
  const rows: Record<string, string>[] = [];
  for (const latencyMs of latenciesMs) rows.push(await measure(environment, key, latencyMs));
  console.table(rows);
  await measureMemory(environment, key);
} finally {
  for (const child of running) child.kill();
  await Promise.all(running.map((child) => child.exitCode ?? once(child, "close")));
  if (server) await onServer(server, `drop database if exists ${database} with (force)`);
  rmSync(folder, { recursive: true, force: true });
}

async function measure(environment: Environment, key: string, latencyMs: number): Promise<Record<string, string>> {
  const services = await startServices(environment, key, latencyMs);
  await load(services.proxied, warmUpMs);
  await load(services.direct, warmUpMs);
  const direct: number[] = [];
  const proxied: number[] = [];
  const added: number[] = [];
  // Alternating rounds are compared in pairs, so that background load affects both sides alike.
  for (let round = 0; round < rounds; round += 1) {
    const before = await load(services.direct, roundMs);
    const after = await load(services.proxied, roundMs);
    added.push(percentile(after, 0.5) - percentile(before, 0.5));
    direct.push(...before);
    proxied.push(...after);
  }
  await services.stop();
  const typical = percentile(added, 0.5);
  return {
    "platform response ms": String(latencyMs),
    "direct median ms": percentile(direct, 0.5).toFixed(2),
    "proxied median ms": percentile(proxied, 0.5).toFixed(2),
    "added ms": typical.toFixed(2),
    "added, quartiles ms": `${percentile(added, 0.25).toFixed(2)} to ${percentile(added, 0.75).toFixed(2)}`,
    "direct p99 ms": percentile(direct, 0.99).toFixed(2),
    "proxied p99 ms": percentile(proxied, 0.99).toFixed(2),
    "proxied requests/s": String(Math.round(proxied.length / ((rounds * roundMs) / 1000))),
    verdict: latencyMs === 0 ? "at full load" : typical <= targetMs ? "ok" : failSlow(),
  };
}

function failSlow(): string {
  process.exitCode = 1;
  return `TOO SLOW (target: ${targetMs} ms)`;
}

async function measureMemory(environment: Environment, key: string): Promise<void> {
  const services = await startServices(environment, key, 0);
  const total = Number(values.requests);
  const samples: number[] = [];
  const step = Math.ceil(total / 20);
  for (let done = 0; done < total; done += step) {
    await send(services.proxied, step);
    samples.push(residentMebibytes(services.service));
  }
  await services.stop();
  const early = Math.max(...samples.slice(5, 10));
  const late = Math.max(...samples.slice(-5));
  console.log(`resident memory over ${total} requests, MiB: ${samples.join(" ")}`);
  const flat = late <= early * allowedGrowth;
  console.log(
    flat
      ? `flat: ${early} MiB at most in the second quarter, ${late} MiB in the last`
      : `GROWS: ${early} MiB → ${late} MiB`,
  );
  if (!flat) process.exitCode = 1;
}

/** Sends requests for the given time, 50 in flight, and returns the duration of each. */
async function load(target: Target, durationMs: number): Promise<number[]> {
  const until = performance.now() + durationMs;
  return drive(target, () => performance.now() < until);
}

function send(target: Target, requests: number): Promise<number[]> {
  let left = requests;
  return drive(target, () => left-- > 0);
}

async function drive({ pool, path, headers }: Target, more: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const worker = async () => {
    while (more()) {
      const before = performance.now();
      const response = await pool.request({ method: "GET", path, headers });
      const text = await response.body.text();
      times.push(performance.now() - before);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return times;
}

async function startServices(environment: Environment, key: string, latencyMs: number) {
  const seed = join(folder, "seed.json");
  const sandbox = await start<{ url: string; api_key: string }>(
    ["ticketing-sandbox", "--seed", seed, "--limit", "0", "--latency", String(latencyMs), "--json"],
    {},
  );
  const { url, api_key } = sandbox.ready;
  const ticketing = { TICKETING_URL: url, TICKETING_API_KEY: api_key, TICKETING_LIMIT: "1000000", REDIS_URL: "" };
  const service = await start<{ url: string }>(["serve", "--no-demo", "--port", "0", "--json"], {
    ...environment,
    ...ticketing,
  });
  const pools = [
    new Pool(new URL(url).origin, { connections: inFlight }),
    new Pool(service.ready.url, { connections: inFlight }),
  ];
  const [direct, proxied] = pools as [Pool, Pool];
  return {
    direct: { pool: direct, path: `/v1/event/get?id=${ticketingId}`, headers: { "x-luma-api-key": api_key } },
    proxied: {
      pool: proxied,
      path: `/api/ticketing/event/get?id=${eventId}`,
      headers: { authorization: `Bearer ${key}` },
    },
    service: service.child,
    async stop() {
      for (const pool of pools) await pool.close();
      for (const { child } of [service, sandbox]) {
        child.kill();
        await once(child, "close");
      }
    },
  };
}

type Environment = Record<string, string>;

async function createDatabase(): Promise<Environment> {
  if (!server) return { DATABASE_URL: "", DATA_DIR: join(folder, "data") };
  await onServer(server, `create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return { DATABASE_URL: url.href };
}

async function makeData(environment: Environment): Promise<string> {
  const times = { start: "2031-05-01T18:00:00Z", end: "2031-05-01T20:00:00Z" };
  const document = {
    users: [{ email: "bench@example.com", name: "Bench" }],
    organizations: [{ name: "Bench", slug: "bench", members: [{ email: "bench@example.com", role: "owner" }] }],
    conferences: [
      {
        ...{ name: "Bench", slug: "bench", short_name: "Bench", description: "For benchmarks", city: "Lisbon" },
        ...{
          start_date: "2031-05-01",
          end_date: "2031-05-02",
          timezone: "UTC",
          status: "published",
          category: "mainline",
        },
      },
    ],
    events: [
      {
        ...{
          id: eventId,
          conference: "bench",
          name: "Bench",
          start_time: times.start,
          end_time: times.end,
          timezone: "UTC",
        },
        ...{ status: "published", category: "mainline", ticketing_event_id: ticketingId },
        hosts: [{ organization: "bench", role: "host" }],
      },
    ],
  };
  const seed = {
    events: [{ id: ticketingId, name: "Bench", start_at: times.start, end_at: times.end, timezone: "UTC" }],
  };
  writeFileSync(join(folder, "document.json"), JSON.stringify(document));
  writeFileSync(join(folder, "seed.json"), JSON.stringify(seed));
  await run(["import", join(folder, "document.json")], environment);
  const key = await run(
    [
      ...["keys", "create", "--tier", "organization", "--name", "bench", "--organization", "bench"],
      ...["--user", "bench@example.com", "--scopes", "org:read", "--json"],
    ],
    environment,
  );
  return (JSON.parse(key) as { key: string }).key;
}

async function run(args: string[], environment: Environment): Promise<string> {
  const child = launch(args, environment);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  if (child.exitCode === null) await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`svc ${args.join(" ")} exited with ${child.exitCode}`);
  return text;
}

async function start<Ready>(args: string[], environment: Environment): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = launch(args, environment);
  running.push(child);
  let text = "";
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      text += String(chunk);
      if (text.endsWith("}\n")) resolve(JSON.parse(text) as Ready);
    });
    child.once("close", (code) => reject(new Error(`svc ${args.join(" ")} exited with ${code}`)));
  });
  return { child, ready };
}

function launch(args: string[], environment: Environment): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(process.execPath, [executable, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
}

function residentMebibytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
