import { createServer } from "node:net";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../app.js";
import { type Config, loadConfig } from "../config.js";
import { buildDemoDocument } from "../demo/demo-document.js";
import { type DemoSummary, isEmpty, loadDemo } from "../demo/load-demo.js";
import { messageOf } from "../platform/errors.js";
import { createLog, type Log } from "../platform/log.js";
import { migrate } from "../platform/migrate.js";
import { type SandboxChild, startSandboxChild } from "../ticketing-sandbox/child.js";
import { demoSeed } from "../ticketing-sandbox/demo-seed.js";
import { bold, dim, print, printJson } from "./output.js";
import { connect, type OpenedDatabase } from "./with-database.js";

type ServeOptions = { port?: number; host?: string; demo: boolean; json?: boolean };

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate, then serve; Ctrl-C drains and stops")
    .option("--port <number>", "where it listens (PORT, else 3000); 0 takes a free one", parsePort)
    .option("--host <address>", "the address it listens on (HOST, else 127.0.0.1)")
    .option("--no-demo", "leave an empty embedded database empty")
    .option("--json", "print one JSON document when it is ready")
    .addHelpText(
      "after",
      `
Examples:
  $ svc serve                                      embedded database in ./data, demo data on the first start
  $ svc serve --port 8080 --host 0.0.0.0
  $ DATABASE_URL=postgres://localhost/events REDIS_URL=redis://localhost svc serve`,
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const port = options.port === 0 ? await findFreePort() : options.port;
  const config = loadConfig(undefined, { port, host: options.host });
  const log = createLog(config.logLevel);
  const opened = await connect(config, {
    command: "serve",
    mode: "own",
    onIdleError: (error) => log.warn({ reason: messageOf(error) }, "lost an idle database connection"),
    onEmbeddedFailure: (error) => {
      log.fatal({ err: error }, "the embedded database stopped");
      process.exit(1);
    },
  });
  let sandbox: SandboxChild | undefined;
  try {
    await migrate(opened.db);
    const demo = await firstStart(opened, options.demo);
    sandbox = await startTicketingSandbox(config, opened, options.demo, log);
    const app = buildApp({ ...config, ticketing: sandbox ?? config.ticketing }, opened.db, log);
    await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
      throw listenProblem(error, config);
    });
    stopOnSignals(app, opened, sandbox, log);
    const ticketing = { platform: ticketingName(config, sandbox), outbox_url: sandbox?.outboxUrl ?? null };
    if (options.json) printJson({ url: config.publicUrl, database: databaseName(config), ticketing, demo: demo ?? null });
    else printReady(config, ticketing.platform, demo);
  } catch (error) {
    await sandbox?.stop();
    await opened.close();
    throw error;
  }
}

async function firstStart(opened: OpenedDatabase, wanted: boolean): Promise<DemoSummary | undefined> {
  return wanted && opened.embedded && (await isEmpty(opened.db)) ? loadDemo(opened.db) : undefined;
}

/** Where the database is embedded and no platform is named, a stand-in takes its place: a process of its own. */
async function startTicketingSandbox(
  config: Config,
  opened: OpenedDatabase,
  withDemo: boolean,
  log: Log,
): Promise<SandboxChild | undefined> {
  if (!opened.embedded || config.ticketing !== null) return undefined;
  const seed = () => (withDemo ? demoSeed(buildDemoDocument({ baseUrl: config.publicUrl, now: new Date() })) : null);
  return startSandboxChild(join(config.dataDir, "ticketing-sandbox"), seed, log);
}

function ticketingName(config: Config, sandbox: SandboxChild | undefined): string {
  if (sandbox !== undefined) return `sandbox, at ${sandbox.url}`;
  return config.ticketing === null ? "none" : new URL(config.ticketing.url).host;
}

function printReady(config: Config, ticketing: string, demo: DemoSummary | undefined): void {
  print(`${bold("Event platform")} is ready at ${bold(config.publicUrl)}`);
  print(dim(`database: ${databaseName(config)} · rate limits: ${config.redisUrl === null ? "in memory" : "Redis"}`));
  print(dim(`ticketing platform: ${ticketing}`));
  if (demo !== undefined) printDemo(config, demo);
  print(dim("\nCtrl-C stops it."));
}

function printDemo(config: Config, demo: DemoSummary): void {
  const base = config.publicUrl;
  print(`\nDemo data: ${Object.entries(demo.counts).map(([list, count]) => `${count} ${list}`).join(", ")}.`);
  print("Demo keys, shown this once:\n");
  for (const { tier, reaches, key } of demo.keys) print(`  ${tier.padEnd(13)}${bold(key)}  ${dim(reaches)}`);
  const key = demo.keys.find(({ tier }) => tier === "super-admin")?.key ?? "";
  print("\nTry:\n");
  print(`  curl -H "Authorization: Bearer ${key}" ${base}/api/svc/ping`);
  print(`  curl -H "Authorization: Bearer ${key}" "${base}/api/svc/posters?published=true&limit=1"`);
  print(`  SVC_KEY=${key} npm run posting-agent -- ${base}`);
}

function databaseName(config: Config): string {
  return config.databaseUrl === null ? `embedded, in ${config.dataDir}` : "PostgreSQL";
}

const drainMs = 10_000;

/** The first signal lets requests in flight finish; a second one, or a drain that hangs, ends it at once. */
function stopOnSignals(
  app: FastifyInstance,
  opened: OpenedDatabase,
  sandbox: SandboxChild | undefined,
  log: Log,
): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), drainMs).unref();
    app
      .close()
      .then(() => sandbox?.stop())
      .then(() => opened.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "could not stop cleanly");
          process.exit(1);
        },
      );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function listenProblem(error: unknown, config: Config): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return new Error(`port ${config.port} of ${config.host} is taken: choose another with --port`);
  if (code === "EACCES") return new Error(`port ${config.port} needs rights this user lacks: choose one above 1023`);
  return new Error(`cannot listen on ${config.host}:${config.port}: ${messageOf(error)}`);
}

/** Addresses in documents hold the port, so it has to be known before the service is built. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It expects a port, 0 to 65535.");
  return Number(text);
}
