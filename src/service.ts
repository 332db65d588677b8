import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type DemoSummary, loadDemo } from "../demo/load-demo.js";
import { buildTicketingSeed } from "../demo/ticketing-seed.js";
import { buildApp } from "./app.js";
import { type Config, loadConfig } from "./config.js";
import { createDrain, type Drain } from "./http/drain.js";
import { type OperationsServer, startOperationsServer } from "./http/operations-server.js";
import { connect, type OpenedDatabase, operatorOf } from "./open-database.js";
import { embeddedLimits, serverLimits } from "./platform/database/database-limits.js";
import { openDatabase } from "./platform/database/db.js";
import { migrate, newerSchemaNotice } from "./platform/database/migrate.js";
import { messageOf } from "./platform/errors.js";
import { type Log, openLog } from "./platform/observability/log.js";
import { createMetrics, type Metrics, noMetrics } from "./platform/observability/metrics.js";
import { createDatabaseObserver, createOperations, type Operations } from "./platform/observability/operations.js";
import { createTraces } from "./platform/observability/traces.js";
import { tools } from "./registry.js";
import { type SandboxChild, startSandboxChild } from "./ticketing-sandbox/child.js";
import { allowlistProblem } from "./tools/availability.js";

export type ServiceOptions = {
  port?: number;
  host?: string;
  /** Whether to load demo data into an empty embedded database. */
  demo: boolean;
  onProgress: (step: string) => void;
};

export type RunningService = {
  config: Config;
  sandbox: SandboxChild | undefined;
  demo: DemoSummary | undefined;
  operationsUrl: string | undefined;
};

/** Opens the database, migrates, builds the app and listens. From then on SIGINT and SIGTERM drain and stop the process. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const checkTools = (names: string[]) => allowlistProblem(tools, names);
  const given = loadConfig(undefined, { port: options.port, host: options.host }, checkTools);
  const opening = openLog(given.logLevel);
  const { log } = opening;
  const crash = exitOnCrash(opening);
  const metrics = await openMetrics(given, opening);
  options.onProgress("opening the database");
  const opened = await connect(given, {
    command: "serve",
    mode: "own",
    wait: {
      seconds: given.databaseWaitSeconds,
      onWait: (reason) => log.warn(`waiting for the database of DATABASE_URL: ${reason}`),
    },
    onEmbeddedFailure: (error) => crash(error, "the embedded database stopped"),
  });
  // Requests have limits that a migration, a demo load or a command must not have.
  const db = openDatabase(opened.connection, {
    poolSize: given.databasePoolSize,
    // One per connection: the observer logs one line per outage.
    onIdleError: (error) => log.debug({ reason: messageOf(error) }, "lost an idle database connection"),
    limits: opened.embedded ? embeddedLimits : serverLimits,
    observer: createDatabaseObserver(log, metrics),
  });
  let sandbox: SandboxChild | undefined;
  let app: FastifyInstance | undefined;
  let operationsServer: OperationsServer | undefined;
  const traces = given.traces === null ? null : createTraces(given.traces, log);
  metrics.counter("svc_spans_dropped_total", "Spans that were not sent", () => traces?.dropped() ?? 0);
  const operations = createOperations(log, db, { metrics, traces });
  const close = async () => {
    await sandbox?.stop();
    await traces?.close();
    await db.close();
    await opened.close();
    await operationsServer?.close();
    await opening.destination.drained(flushMs);
  };
  try {
    // Everything that can fail comes before the demo is loaded: its keys are printed only after a successful start.
    const port = await findPort(given);
    const config = port === given.port ? given : loadConfig(undefined, { port, host: options.host });
    if (config.publicUrlIsGuessed) {
      log.warn(`PUBLIC_URL is not set: links in responses begin with ${config.publicUrl}, which others may not reach`);
    }
    options.onProgress("migrating the schema");
    await migrate(opened.db, { onNewerSchema: (names) => log.warn({ migrations: names }, newerSchemaNotice(names)) });
    sandbox = await startTicketingSandbox(config, opened, options.demo, log);
    app = buildApp({ ...config, ticketing: sandbox ?? config.ticketing }, db, log, {}, operations);
    const drain = createDrain(app, operations.readiness);
    options.onProgress("loading the demo data");
    const demo = await loadDemoOnFirstStart(opened, options.demo, config);
    if (config.operations !== null) operationsServer = await listenForOperations(operations, config.operations);
    await app.listen({ port, host: config.host }).catch((error: unknown) => {
      throw listenError(error, config);
    });
    stopOnSignals({ drain, log, graceMs: config.shutdownGraceMs, close });
    return { config, sandbox, demo, operationsUrl: operationsServer?.url };
  } catch (error) {
    await app?.close();
    await close();
    throw error;
  }
}

type OpenedLog = ReturnType<typeof openLog>;

async function openMetrics(config: Config, { destination }: OpenedLog): Promise<Metrics> {
  const metrics = config.operations === null ? noMetrics : await createMetrics();
  metrics.counter("svc_log_lines_dropped_total", "Log lines dropped because nobody read them", destination.dropped);
  return metrics;
}

function listenForOperations(operations: Operations, address: { host: string; port: number }) {
  return startOperationsServer(operations, address).catch((error: unknown) => {
    throw new Error(
      `cannot listen on OPERATIONS_HOST:OPERATIONS_PORT (${address.host}:${address.port}): ${messageOf(error)}`,
    );
  });
}

/** Only an embedded database gets demo data: one that DATABASE_URL names belongs to its operator, empty or not. */
async function loadDemoOnFirstStart(
  opened: OpenedDatabase,
  wanted: boolean,
  config: Config,
): Promise<DemoSummary | undefined> {
  return wanted && opened.embedded ? loadDemo(opened.db, operatorOf(config)) : undefined;
}

/** With an embedded database and no configured platform, a sandbox of the platform runs as a child process. */
async function startTicketingSandbox(
  config: Config,
  opened: OpenedDatabase,
  withDemo: boolean,
  log: Log,
): Promise<SandboxChild | undefined> {
  if (!opened.embedded || config.ticketing !== null) return undefined;
  const seed = () => (withDemo ? buildTicketingSeed(new Date()) : null);
  return startSandboxChild(join(config.dataDir, "ticketing-sandbox"), seed, log);
}

const drainMs = 10_000;

/**
 * SIGTERM becomes unready, serves for the grace period and lets requests in flight finish; SIGINT, from a person, has no
 * grace period. A second signal, or a drain that takes too long, exits at once.
 */
function stopOnSignals({ drain, log, graceMs, close }: StopOptions): void {
  let stopping = false;
  const stop = (grace: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      log.error(
        `requests or commands were still running ${drainMs / 1000} s after the grace period: they were aborted`,
      );
      process.exit(1);
    }, grace + drainMs).unref();
    drain({ graceMs: grace })
      .then(close)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "could not stop cleanly");
          process.exit(1);
        },
      );
  };
  process.on("SIGINT", () => stop(0));
  process.on("SIGTERM", () => stop(graceMs));
}

type StopOptions = { drain: Drain; log: Log; graceMs: number; close: () => Promise<void> };

const flushMs = 1_000;

/** Logs what ends the process, and exits with 1 once the line is written or nobody has read it for a second. */
function exitOnCrash({ log, destination }: OpenedLog): (error: unknown, message: string) => void {
  let crashed = false;
  const exit = (error: unknown, message: string) => {
    log.fatal({ err: error }, message);
    if (crashed) return;
    crashed = true;
    void destination.drained(flushMs).finally(() => process.exit(1));
  };
  process.on("uncaughtException", (error, origin) => exit(error, `crashed: ${origin}`));
  process.on("exit", () => destination.flush());
  return exit;
}

function listenError(error: unknown, config: Config): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new Error(`port ${config.port} on ${config.host} is in use: choose another with --port`);
  if (code === "EACCES") return new Error(`port ${config.port} requires privileges: choose one above 1023`);
  return new Error(`cannot listen on ${config.host}:${config.port}: ${messageOf(error)}`);
}

/** A free port, chosen before the app is built because documents contain it. */
async function findPort(config: Config): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(config.port, config.host), "listening");
  } catch (error) {
    throw listenError(error, config);
  }
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
