// How many calls and kilobytes do the tasks of organizers take an agent?
// Usage: npm run bench:agents [-- --json FILE]
// Starts a service of its own on an embedded database with the demo data. Exits with 1 if a task fails or misses its goal.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { scopes } from "../contract/scopes.js";
import { hostTasks } from "../examples/tasks/host.js";
import { tasks } from "../examples/tasks/index.js";
import { explanation, formatOutcomes } from "../examples/tasks/report.js";
import { isMet, runTask, type TaskOutcome } from "../examples/tasks/run-task.js";
import { cleanUp, cleanUpOnSignals, isInterrupted, onCleanUp } from "./support/clean-up.js";
import { startSvc, stopServices, svc } from "./support/service.js";

const usage = `Usage: npm run bench:agents [-- OPTIONS]
  --json FILE    write every response's figures to this file
It needs no database: the service that it starts has an embedded one.`;

const { values } = parseOptions();

type Ready = { url: string; demo: { keys: { tier: string; key: string }[] } };

if (values.help) console.log(usage);
else await measureAll();

async function measureAll(): Promise<void> {
  cleanUpOnSignals();
  onCleanUp(stopServices);
  let outcomes: TaskOutcome[] = [];
  try {
    outcomes = await measure();
  } finally {
    await cleanUp();
  }
  if (isInterrupted()) return;
  console.log(`${formatOutcomes(outcomes)}\n\n${explanation}`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  if (!outcomes.every(isMet)) process.exitCode = 1;
}

async function measure(): Promise<TaskOutcome[]> {
  const directory = await mkdtemp(join(tmpdir(), "bench-agents-"));
  onCleanUp(() => rm(directory, { recursive: true, force: true }));
  const environment = { DATABASE_URL: "", REDIS_URL: "", DATA_DIR: directory, MCP_LIMIT: "1000000" };
  const { ready } = await startSvc<Ready>(["serve", "--port", "0"], { environment });
  const key = ready.demo.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  const partnerKey = await createPartnerKey(environment);
  const done: TaskOutcome[] = [];
  for (const task of [...tasks, ...hostTasks]) {
    done.push(await runTask(task, { service: ready.url, key, partnerKey }, () => {}));
  }
  return done;
}

/** The demo data has a key of one organization; the hand-over takes two. */
async function createPartnerKey(environment: Record<string, string>): Promise<string> {
  const of = ["--organization", "boreal-commons", "--user", "genevieve.roy@boreal.example.org"];
  const args = ["keys", "create", "--tier", "organization", "--name", "Partner", "--scopes", scopes.join(","), ...of];
  const { key } = JSON.parse(await svc([...args, "--json"], environment)) as { key: string };
  return key;
}

function parseOptions() {
  try {
    return parseArgs({ options: { json: { type: "string" }, help: { type: "boolean" } } });
  } catch (error) {
    console.error(`${String(error)}\n${usage}`);
    process.exit(2);
  }
}
