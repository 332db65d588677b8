// How long do an import of a million events with three million posters, a second one of the same file and an export take?
// Usage: DATABASE_URL=postgres://… npm run bench:import [-- --events 1000000]
// Creates two databases on that server and drops them at the end. The goal is for the first import, and less in proportion.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cleanUp, cleanUpOnSignals, onCleanUp } from "./support/clean-up.js";
import { createDatabase, createDataset, dropDatasets } from "./support/dataset.js";
import { cpuMicros, residentMegabytes } from "./support/process-usage.js";
import { executable, svc } from "./support/service.js";

const { values } = parseArgs({ options: { events: { type: "string", default: "1000000" } } });
const events = Number(values.events);
const goal = { seconds: Math.max(60, (600 * events) / 1_000_000), megabytes: 1_074 };

type Run = { command: string; seconds: number; cpuSeconds: number; megabytes: number };

cleanUpOnSignals();
onCleanUp(dropDatasets);
try {
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-"));
  onCleanUp(() => rm(directory, { recursive: true, force: true }));
  const document = join(directory, "document.json");
  const { databaseUrl } = await createDataset({ events, keys: 0, organizations: 500, conferences: 50 });
  await svc(["export", document], { DATABASE_URL: databaseUrl });
  console.log(`${events} events, ${Math.round((await stat(document)).size / 1e6)} MB`);
  const target = await createDatabase();
  const runs = [
    await measure("import", ["import", document], target),
    await measure("import again", ["import", document], target),
    await measure("export", ["export", join(directory, "export.json")], target),
  ];
  console.table(runs);
  const isMet = (runs[0]?.seconds ?? 0) < goal.seconds && runs.every(({ megabytes }) => megabytes < goal.megabytes);
  console.log(
    `${isMet ? "meets" : "MISSES"} the goal: an import within ${goal.seconds} s, and ${goal.megabytes} MB for each`,
  );
  process.exitCode = isMet ? 0 : 1;
} finally {
  await cleanUp();
}

/** Time, CPU time and peak memory of a command. */
async function measure(command: string, args: string[], databaseUrl: string): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { pid = 0 } = child;
  let cpu = 0;
  let megabytes = 0;
  const sampler = setInterval(() => {
    cpu = Math.max(cpu, cpuMicros(pid) ?? 0);
    megabytes = Math.max(megabytes, ...residentMegabytes(pid).map(Math.round));
  }, 100);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(sampler);
  if (code !== 0) throw new Error(`svc ${args.join(" ")} exited with ${code}`);
  return { command, seconds: Math.round((performance.now() - startedAt) / 100) / 10, cpuSeconds: cpu / 1e6, megabytes };
}
