import { type Command, InvalidArgumentError } from "commander";
import { type Config, loadConfig } from "../config.js";
import { maximumWorkers } from "../environment.js";
import type { RunningService, ServiceOptions } from "../serve/service.js";
import { printDemo } from "./demo.js";
import { bold, dim, print, printJson, stepPrinter } from "./output.js";
import { programName } from "./program-name.js";

type ServeOptions = { port?: number; host?: string; workers?: number; demo: boolean; json?: boolean };

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate the schema, then serve; Ctrl-C, SIGTERM and SIGHUP drain and stop")
    .option("--port <number>", "port to listen on (default: PORT or 3000); 0 picks a free one", parsePort)
    .option("--host <address>", "address to listen on (default: HOST or 127.0.0.1)")
    .option(
      "--workers <number>",
      "processes that serve the port (default: WORKERS or 1); needs PostgreSQL and Redis",
      parseWorkers,
    )
    .option("--no-demo", "do not load demo data into an empty embedded database")
    .option("--json", "print one JSON document when ready")
    .addHelpText(
      "after",
      `
Signals:
  SIGTERM, SIGHUP      stop after SHUTDOWN_GRACE_S, when the requests are finished
  SIGINT (Ctrl-C)      stop when the requests are finished
  a second one         stop at once
  SIGUSR2              no effect

Examples:
  $ svc serve                                      embedded database in ./data, demo data on the first start
  $ svc serve --port 8080 --host 0.0.0.0
  $ DATABASE_URL=postgres://localhost/events REDIS_URL=redis://localhost svc serve --workers 4`,
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const onInterrupt = () => {
    if (!options.json) print("\nStopping: requests are finished first. Press Ctrl-C again to stop at once.");
  };
  const ready = describeReady(await start({ ...options, onStep: stepPrinter(), onInterrupt }));
  if (options.json) printJson(ready);
  else printReady(ready);
}

/** Loaded on demand: the service takes longer to load than the other commands take to run. */
async function start(options: ServiceOptions): Promise<RunningService> {
  const config = await readConfig(options);
  if (config.workers > 1) return (await import("../serve/workers/primary.js")).startWorkers(config, options);
  return (await import("../serve/service.js")).startService(config, options);
}

/** The primary of workers does without the tools, which come with the whole service, unless their names have to be checked. */
async function readConfig(options: ServiceOptions): Promise<Config> {
  try {
    const config = loadConfig(undefined, options);
    if (config.mcpTools.every((name) => name === "*")) return config;
  } catch {
    // Reported below, with the names of tools.
  }
  const [{ tools }, { allowlistProblem }] = await Promise.all([
    import("../registry.js"),
    import("../runner/availability.js"),
  ]);
  return loadConfig(undefined, options, (names) => allowlistProblem(tools, names));
}

type Ready = ReturnType<typeof describeReady>;

function describeReady(running: RunningService) {
  const { config, sandbox, demo, demoPerson, operationsUrl } = running;
  return {
    url: config.publicUrl,
    workers: config.workers,
    operations_url: operationsUrl ?? null,
    database_is_empty: running.isDatabaseEmpty,
    database: config.databaseUrl === null ? `embedded, in ${config.dataDir}` : "PostgreSQL",
    rate_limits: config.redisUrl === null ? "in memory" : "Redis",
    ticketing: { platform: ticketingPlatform({ config, sandbox }), outbox_url: sandbox?.outboxUrl ?? null },
    demo: demo === undefined ? null : { ...demo, commands: firstCommands(config.publicUrl, demo) },
    new_demo_password: demoPerson === undefined ? null : `${programName} users set-password ${demoPerson}`,
  };
}

function ticketingPlatform({ config, sandbox }: Pick<RunningService, "config" | "sandbox">): string {
  if (sandbox !== undefined) return `sandbox, at ${sandbox.url}`;
  return config.ticketing === null ? "none" : new URL(config.ticketing.url).host;
}

function firstCommands(base: string, demo: NonNullable<RunningService["demo"]>): string[] {
  const key = demo.keys.find(({ tier }) => tier === "super-admin")?.key ?? "";
  return [
    `curl -H "Authorization: Bearer ${key}" ${base}/api/svc/ping`,
    `curl -H "Authorization: Bearer ${key}" "${base}/api/svc/posters?published=true&limit=1"`,
    `SVC_KEY=${key} npm run posting-agent -- ${base}`,
  ];
}

function printReady(ready: Ready): void {
  const { url, workers, operations_url, database, rate_limits, ticketing, demo, new_demo_password } = ready;
  print(`${bold("Event platform")} is ready at ${bold(url)}\n`);
  if (workers > 1) print(dim(`  workers      ${workers}`));
  print(dim(`  database     ${database}`));
  print(dim(`  rate limits  ${rate_limits}`));
  print(dim(`  ticketing    ${ticketing.platform}`));
  if (operations_url !== null) print(dim(`  metrics      ${operations_url}/metrics`));
  print("");
  if (demo !== null) printFirstStart(demo);
  else if (ready.database_is_empty) {
    print(`The database is empty. Demo data: ${command("demo load")}; your own: ${command("import --help")}`);
  } else print(`Keys: ${command("keys list")}, ${command("keys create --help")}`);
  if (new_demo_password !== null) print(`Lost the demo password? ${bold(new_demo_password)}`);
  print(dim("\nPress Ctrl-C to stop."));
}

function printFirstStart(demo: NonNullable<Ready["demo"]>): void {
  printDemo(demo);
  print("\nTry:\n");
  for (const line of demo.commands) print(`  ${line}`);
}

function command(text: string): string {
  return bold(`${programName} ${text}`);
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("Expected a port from 0 to 65535.");
  }
  return Number(text);
}

function parseWorkers(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > maximumWorkers) {
    throw new InvalidArgumentError(`Expected a number of workers from 1 to ${maximumWorkers}.`);
  }
  return Number(text);
}
