import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { executable } from "./support/service.js";

/**
 * Measures the time, CPU time and peak memory of a large import, of a second import of the same file and of an export. Runs
 * `bin/svc` on a temporary database on the server of DATABASE_URL. The optional argument is the number of events; the goal
 * is for the first import of a million of them with three million posters, and less in proportion.
 */
const eventCount = Number(process.argv[2] ?? 1_000_000);
const postersPerEvent = 3;
/** Every fifth event has a second host. */
const eventsPerCoHost = 5;
const organizationCount = 500;
const conferenceCount = 50;
const goal = { seconds: Math.max(60, (600 * eventCount) / 1_000_000), mebibytes: 1024 };

const server = process.env.DATABASE_URL;
if (!server) throw new Error("DATABASE_URL is required: a PostgreSQL server with permission to create databases");
const databaseName = `svc_bench_import_${process.pid}`;
const directory = await mkdtemp(join(tmpdir(), "svc-bench-"));
const monitor = new pg.Client({ connectionString: server });
await monitor.connect();
try {
  await queryServer(`create database ${databaseName}`);
  const file = join(directory, "document.json");
  await pipeline(Readable.from(documentLines()), createWriteStream(file));
  const url = new URL(server);
  url.pathname = `/${databaseName}`;
  const megabytes = Math.round((await stat(file)).size / 1e6);
  console.log(
    `${eventCount} events, ${eventCount * postersPerEvent} posters, ${Math.ceil(eventCount * (1 + 1 / eventsPerCoHost))} hosts, ${megabytes} MB`,
  );
  const runs: Run[] = [];
  for (const [label, args] of [
    ["import", ["import", file]],
    ["import again", ["import", file]],
    ["export", ["export", join(directory, "export.json")]],
  ] as const) {
    const measured = await run(args, url.href);
    runs.push(measured);
    console.log(
      `${label.padEnd(14)}${measured.seconds.toFixed(1).padStart(7)} s${String(measured.mebibytes).padStart(7)} MiB` +
        `${measured.cpuSeconds.process.toFixed(1).padStart(8)} s CPU of the process` +
        `${measured.cpuSeconds.database.toFixed(1).padStart(8)} s CPU of its database connection`,
    );
  }
  const isMet = (runs[0]?.seconds ?? 0) < goal.seconds && runs.every(({ mebibytes }) => mebibytes < goal.mebibytes);
  console.log(
    `${isMet ? "meets" : "MISSES"} the goal: an import within ${goal.seconds} s, and ${goal.mebibytes} MiB for each`,
  );
  process.exitCode = isMet ? 0 : 1;
} finally {
  await monitor.end();
  await rm(directory, { recursive: true, force: true });
  await queryServer(`drop database if exists ${databaseName} with (force)`);
}

type Run = { seconds: number; mebibytes: number; cpuSeconds: { process: number; database: number } };

async function run(args: readonly string[], databaseUrl: string): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const cpuSeconds = { process: 0, database: 0 };
  let kibibytes = 0;
  const sampler = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    kibibytes = Math.max(kibibytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    cpuSeconds.process = Math.max(cpuSeconds.process, await cpuSecondsOf(child.pid));
    for (const pid of await backends().catch(() => []))
      cpuSeconds.database = Math.max(cpuSeconds.database, await cpuSecondsOf(pid));
  }, 500);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(sampler);
  if (code !== 0) throw new Error(`svc ${args.join(" ")} exited with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, mebibytes: Math.round(kibibytes / 1024), cpuSeconds };
}

/** User and system time of a process, in hundredths of a second; 0 for one that runs elsewhere, as on another server. */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? 0 : (Number(fields[11]) + Number(fields[12])) / 100;
}

async function backends(): Promise<number[]> {
  const { rows } = await monitor.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [databaseName],
  );
  return rows.map(({ pid }) => pid);
}

async function queryServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function* documentLines(): Generator<string> {
  yield `{"organizations":[\n${rows(organizationCount, organization)}\n],\n`;
  yield `"conferences":[\n${rows(conferenceCount, conference)}\n],\n"events":[\n`;
  const batch = 1000;
  for (let first = 0; first < eventCount; first += batch) {
    const count = Math.min(batch, eventCount - first);
    yield `${first === 0 ? "" : ",\n"}${rows(count, (index) => event(first + index))}`;
  }
  yield `\n],\n"posters":[\n`;
  for (let first = 0; first < eventCount * postersPerEvent; first += batch) {
    const count = Math.min(batch, eventCount * postersPerEvent - first);
    yield `${first === 0 ? "" : ",\n"}${rows(count, (index) => poster(first + index))}`;
  }
  yield "\n]}\n";
}

function rows(count: number, row: (index: number) => object): string {
  return Array.from({ length: count }, (_, index) => JSON.stringify(row(index))).join(",\n");
}

function organization(index: number) {
  return { name: `Organization ${index}`, slug: `organization-${index}`, description: "Builds software for the web." };
}

function conference(index: number) {
  return {
    name: `Conference ${index}`,
    slug: `conference-${index}`,
    short_name: `C${index}`,
    description: "Four days of talks.",
    city: "Lisbon",
    start_date: "2027-03-01",
    end_date: "2027-03-04",
    timezone: "Europe/Lisbon",
    status: "published",
    category: "mainline",
  };
}

function event(index: number) {
  const start = Date.UTC(2027, 2, 1) + (index % 5760) * 60_000;
  return {
    id: uuid(`event ${index}`),
    conference: `conference-${index % conferenceCount}`,
    name: `Event number ${index}`,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 5_400_000).toISOString(),
    timezone: "Europe/Lisbon",
    venue: `Hall ${index % 40}`,
    status: index % 10 === 0 ? "draft" : "published",
    category: ["mainline", "community", "sponsored", "vip"][index % 4],
    description: "An evening with people who build what others use. Doors open half an hour before.",
    capacity: 200,
    hosts: [
      { organization: `organization-${index % organizationCount}`, role: "host" },
      ...(index % eventsPerCoHost === 0
        ? [{ organization: `organization-${(index + 7) % organizationCount}`, role: "co_host" }]
        : []),
    ],
  };
}

function poster(index: number) {
  const event = Math.floor(index / postersPerEvent);
  return {
    event: index % 2 === 0 ? uuid(`event ${event}`) : `Event number ${event}`,
    image_url: `https://images.example.com/posters/${index}.png`,
    thumbnail_url: `https://images.example.com/posters/${index}-small.png`,
    title: `Poster ${index}`,
    published: index % 3 > 0,
    sort_order: index % 7,
    metadata: { style: "tile-grid", speakers: ["Ada", "Grace"], seed: index },
  };
}

function uuid(label: string): string {
  const hex = createHash("md5").update(label).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
