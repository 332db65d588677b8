// How fast is the service, compared within one run with what the same work costs without it?
// Usage: DATABASE_URL=postgres://… REDIS_URL=redis://… npm run bench [-- --quick|--check] [--only ROW]… [--json FILE]
// Creates databases on that server and drops them at the end, also after Ctrl-C. Exits with 1 if a goal is missed.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { rowGroups } from "./rows/index.js";
import { cleanUp, cleanUpOnSignals, isInterrupted, onCleanUp } from "./support/clean-up.js";
import { dropDatasets } from "./support/dataset.js";
import { stopProcesses } from "./support/process.js";
import { allMet, formatTable, type Result } from "./support/report.js";
import type { Bench, Row, RowGroup } from "./support/row.js";
import { logLevel, stopServices } from "./support/service.js";

const usage = `Usage: npm run bench [-- OPTIONS]
  --quick        short rounds and less data: under three minutes on a quiet machine with two cores
  --check        only see whether each row works: one short round, as little data, and no goals
  --only ROW     only this row; repeat it for several
  --json FILE    write the figures of all rounds to this file
  --list         list the rows
DATABASE_URL names a PostgreSQL server on which databases can be created, REDIS_URL a Redis server.`;

const schedules = {
  full: { rounds: 7, roundMs: 3_000, warmUpMs: 4_000, longestWarmUps: 15 },
  quick: { rounds: 3, roundMs: 400, warmUpMs: 500, longestWarmUps: 3 },
  check: { rounds: 1, roundMs: 100, warmUpMs: 100, longestWarmUps: 1 },
};

const { values } = parseOptions();
const allRows = rowGroups.flat();

if (values.help) {
  console.log(usage);
} else if (values.list) {
  for (const { id, name, reference } of allRows) console.log(`${id.padEnd(20)} ${name}, compared with: ${reference}`);
} else {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl) refuse("DATABASE_URL is not set: expected a PostgreSQL server on which databases can be created");
  if (!redisUrl) refuse("REDIS_URL is not set: expected a Redis server, such as redis://127.0.0.1:6379");
  const unknown = (values.only ?? []).filter((id) => !allRows.some((row) => row.id === id));
  if (unknown.length > 0) refuse(`--only ${unknown[0]}: expected one of ${allRows.map(({ id }) => id).join(", ")}`);
  await measureAll(redisUrl);
}

async function measureAll(redisUrl: string): Promise<void> {
  cleanUpOnSignals();
  onCleanUp(stopServices);
  onCleanUp(stopProcesses);
  onCleanUp(dropDatasets);
  const startedAt = performance.now();
  const results: Result[] = [];
  try {
    for (const group of rowGroups) results.push(...(await measureGroup(group, redisUrl)));
  } finally {
    await cleanUp();
  }
  if (isInterrupted()) return;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const failed = results.filter(({ kind }) => kind === "failed");
  if (values.check) {
    console.log(failed.length === 0 ? `Every row works: ${seconds} s.` : `${failed.length} rows failed.`);
    process.exitCode = failed.length === 0 ? 0 : 1;
    return;
  }
  console.log(formatTable(results));
  console.log(
    `\n${values.quick ? "Quick run: " : ""}${seconds} s; Node ${process.version}, ${cpus().length} cores; LOG_LEVEL=${logLevel}, written to /dev/null.`,
  );
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(documentOf(results, seconds), null, 2)}\n`);
  if (!allMet(results)) process.exitCode = 1;
}

async function measureGroup(group: RowGroup, redisUrl: string): Promise<Result[]> {
  const wanted = group.filter(({ id }) => values.only === undefined || values.only.includes(id));
  const made = new Map<string, Promise<unknown>>();
  const bench: Bench = {
    quick: values.quick === true || values.check === true,
    redisUrl,
    schedule: values.check ? schedules.check : values.quick ? schedules.quick : schedules.full,
    progress: (text) => console.error(text),
    once<Value>(name: string, make: () => Promise<Value>) {
      const value = (made.get(name) as Promise<Value> | undefined) ?? make();
      made.set(name, value);
      return value;
    },
  };
  const results: Result[] = [];
  for (const row of wanted) {
    bench.progress(`${row.id}: ${row.name}, compared with: ${row.reference}`);
    results.push(await measureRow(bench, row));
  }
  await stopServices();
  await stopProcesses();
  return results;
}

async function measureRow(bench: Bench, { run, ...row }: Row): Promise<Result> {
  try {
    const outcome = await run(bench);
    return typeof outcome === "string" ? { row, kind: "left out", why: outcome } : { row, kind: "measured", outcome };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (!isInterrupted()) console.error(`${row.id} failed: ${text}`);
    return { row, kind: "failed", error: text };
  }
}

function documentOf(results: Result[], seconds: number) {
  return {
    quick: values.quick ?? false,
    seconds,
    node: process.version,
    cores: cpus().map(({ model }) => model),
    log_level: logLevel,
    rows: results.map(({ row, ...result }) => ({ ...row, ...result })),
  };
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        quick: { type: "boolean" },
        check: { type: "boolean" },
        only: { type: "string", multiple: true },
        json: { type: "string" },
        list: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    return refuse(`${String(error)}\n${usage}`);
  }
}

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}
