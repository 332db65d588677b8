import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
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
import { bold, dim, print, printJson, showProgress } from "./output.js";
import { connect, type OpenedDatabase } from "./with-database.js";

export type ServeOptions = { port?: number; host?: string; demo: boolean; json?: boolean };

export async function runService(options: ServeOptions): Promise<void> {
  const given = loadConfig(undefined, { port: options.port, host: options.host });
  const log = createLog(given.logLevel);
  const progress = showProgress();
  progress.update(1, 4, "opening the database");
  const opened = await connect(given, {
    command: "serve",
    mode: "own",
    onIdleError: (error) => log.warn({ reason: messageOf(error) }, "lost an idle database connection"),
    onEmbeddedFailure: (error) => {
      log.fatal({ err: error }, "the embedded database stopped");
      process.exit(1);
    },
  }).finally(progress.finish);
  let sandbox: SandboxChild | undefined;
  let app: FastifyInstance | undefined;
  try {
    // All that can fail comes before the demo is loaded: its keys would never be shown.
    const port = await findPort(given);
    const config = port === given.port ? given : loadConfig(undefined, { port, host: options.host });
    progress.update(2, 4, "bringing the schema up to date");
    await migrate(opened.db);
    sandbox = await startTicketingSandbox(config, opened, options.demo, log);
    app = buildApp({ ...config, ticketing: sandbox ?? config.ticketing }, opened.db, log);
    progress.update(3, 4, "loading the demo data");
    const demo = await firstStart(opened, options.demo);
    await app.listen({ port, host: config.host }).catch((error: unknown) => {
      throw listenProblem(error, config);
    });
    stopOnSignals(app, opened, sandbox, log);
    progress.finish();
    const ready = describeReady(config, sandbox, demo);
    if (options.json) printJson(ready);
    else printReady(ready);
  } catch (error) {
    progress.finish();
    await app?.close();
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

type Ready = ReturnType<typeof describeReady>;

function describeReady(config: Config, sandbox: SandboxChild | undefined, demo: DemoSummary | undefined) {
  return {
    url: config.publicUrl,
    database: config.databaseUrl === null ? `embedded, in ${config.dataDir}` : "PostgreSQL",
    rate_limits: config.redisUrl === null ? "in memory" : "Redis",
    ticketing: { platform: ticketingName(config, sandbox), outbox_url: sandbox?.outboxUrl ?? null },
    demo: demo === undefined ? null : { ...demo, commands: firstCommands(config.publicUrl, demo) },
  };
}

function ticketingName(config: Config, sandbox: SandboxChild | undefined): string {
  if (sandbox !== undefined) return `sandbox, at ${sandbox.url}`;
  return config.ticketing === null ? "none" : new URL(config.ticketing.url).host;
}

function firstCommands(base: string, demo: DemoSummary): string[] {
  const key = demo.keys.find(({ tier }) => tier === "super-admin")?.key ?? "";
  return [
    `curl -H "Authorization: Bearer ${key}" ${base}/api/svc/ping`,
    `curl -H "Authorization: Bearer ${key}" "${base}/api/svc/posters?published=true&limit=1"`,
    `SVC_KEY=${key} npm run posting-agent -- ${base}`,
  ];
}

function printReady({ url, database, rate_limits, ticketing, demo }: Ready): void {
  print(`${bold("Event platform")} is ready at ${bold(url)}\n`);
  print(dim(`  database     ${database}`));
  print(dim(`  rate limits  ${rate_limits}`));
  print(dim(`  ticketing    ${ticketing.platform}`));
  if (demo === null) print(`\nKeys: ${bold("svc keys list")}, ${bold("svc keys create --help")}`);
  else printDemo(demo);
  print(dim("\nCtrl-C stops it."));
}

function printDemo(demo: NonNullable<Ready["demo"]>): void {
  const counts = Object.entries(demo.counts).map(([list, count]) => `${count} ${list.replaceAll("_", " ")}`);
  print(`\nDemo data: ${counts.join(", ")}.`);
  print("Demo keys, shown this once:\n");
  for (const { tier, reaches, key } of demo.keys) print(`  ${tier.padEnd(13)}${bold(key)}  ${dim(reaches)}`);
  print("\nTry:\n");
  for (const command of demo.commands) print(`  ${command}`);
}

const drainMs = 10_000;

/** The first signal lets requests in flight finish; a second one, or a drain that hangs, ends it at once. */
function stopOnSignals(
  app: FastifyInstance,
  opened: OpenedDatabase,
  sandbox: SandboxChild | undefined,
  log: Log,
): void {
  const closeUnusedConnections = watchUnusedConnections(app.server);
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      log.error(`requests or commands were still running ${drainMs / 1000} s after the signal: they were cut off`);
      process.exit(1);
    }, drainMs).unref();
    const closed = app.close();
    closeUnusedConnections();
    closed
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

const sweepMs = 50;

/**
 * Closing a server waits for all its connections. What it returns closes those that nobody waits on: at once the ones
 * that have not sent a request yet, such as a browser's in reserve, and the kept-alive ones when they fall idle.
 */
function watchUnusedConnections(server: Server): () => void {
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", (request) => silent.delete(request.socket));
  return () => {
    for (const socket of silent) socket.destroy();
    setInterval(() => server.closeIdleConnections(), sweepMs).unref();
  };
}

function listenProblem(error: unknown, config: Config): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new Error(`port ${config.port} of ${config.host} is taken: choose another with --port`);
  if (code === "EACCES") return new Error(`port ${config.port} needs rights this user lacks: choose one above 1023`);
  return new Error(`cannot listen on ${config.host}:${config.port}: ${messageOf(error)}`);
}

/** The port to listen on, known to be free. Addresses in documents hold it, so it is settled before the service is built. */
async function findPort(config: Config): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(config.port, config.host), "listening");
  } catch (error) {
    throw listenProblem(error, config);
  }
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
