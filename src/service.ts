import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type DemoSummary, isDatabaseEmpty, loadDemo } from "../demo/load-demo.js";
import { buildTicketingSeed } from "../demo/ticketing-seed.js";
import { buildApp } from "./app.js";
import { type Config, loadConfig } from "./config.js";
import { connect, type OpenedDatabase, operatorOf } from "./open-database.js";
import { embeddedLimits, serverLimits } from "./platform/database-limits.js";
import { openDatabase } from "./platform/db.js";
import { messageOf } from "./platform/errors.js";
import { createLog, type Log } from "./platform/log.js";
import { migrate, newerSchemaNotice } from "./platform/migrate.js";
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

export type RunningService = { config: Config; sandbox: SandboxChild | undefined; demo: DemoSummary | undefined };

/** Opens the database, migrates, builds the app and listens. From then on SIGINT and SIGTERM drain and stop the process. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const checkTools = (names: string[]) => allowlistProblem(tools, names);
  const given = loadConfig(undefined, { port: options.port, host: options.host }, checkTools);
  const log = createLog(given.logLevel);
  options.onProgress("opening the database");
  const opened = await connect(given, {
    command: "serve",
    mode: "own",
    wait: {
      seconds: given.databaseWaitSeconds,
      onWait: (reason) => log.warn(`waiting for the database of DATABASE_URL: ${reason}`),
    },
    onEmbeddedFailure: (error) => {
      log.fatal({ err: error }, "the embedded database stopped");
      process.exit(1);
    },
  });
  // Requests have limits that a migration, a demo load or a command must not have.
  const db = openDatabase(opened.connection, {
    poolSize: given.databasePoolSize,
    onIdleError: (error) => log.warn({ reason: messageOf(error) }, "lost an idle database connection"),
    limits: opened.embedded ? embeddedLimits : serverLimits,
  });
  const close = async () => {
    await db.close();
    await opened.close();
  };
  let sandbox: SandboxChild | undefined;
  let app: FastifyInstance | undefined;
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
    app = buildApp({ ...config, ticketing: sandbox ?? config.ticketing }, db, log);
    options.onProgress("loading the demo data");
    const demo = await loadDemoOnFirstStart(opened, options.demo, config);
    await app.listen({ port, host: config.host }).catch((error: unknown) => {
      throw listenError(error, config);
    });
    stopOnSignals(app, close, sandbox, log);
    return { config, sandbox, demo };
  } catch (error) {
    await app?.close();
    await sandbox?.stop();
    await close();
    throw error;
  }
}

/** Only an embedded database gets demo data: one that DATABASE_URL names belongs to its operator, empty or not. */
async function loadDemoOnFirstStart(
  opened: OpenedDatabase,
  wanted: boolean,
  config: Config,
): Promise<DemoSummary | undefined> {
  return wanted && opened.embedded && (await isDatabaseEmpty(opened.db))
    ? loadDemo(opened.db, operatorOf(config))
    : undefined;
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

/** The first signal lets requests in flight finish. A second signal, or a drain that takes too long, exits at once. */
function stopOnSignals(
  app: FastifyInstance,
  closeDatabase: () => Promise<void>,
  sandbox: SandboxChild | undefined,
  log: Log,
): void {
  const closeUnusedConnections = watchUnusedConnections(app.server);
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      log.error(`requests or commands were still running ${drainMs / 1000} s after the signal: they were aborted`);
      process.exit(1);
    }, drainMs).unref();
    const closed = app.close();
    closeUnusedConnections();
    closed
      .then(() => sandbox?.stop())
      .then(closeDatabase)
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
 * Closing a server waits for all its connections. The returned function closes those without a request in flight:
 * at once the ones that never sent one, such as a browser's spare connections, and keep-alive ones when they go idle.
 */
function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", (request) => unused.delete(request.socket));
  return () => {
    for (const socket of unused) socket.destroy();
    setInterval(() => server.closeIdleConnections(), sweepMs).unref();
  };
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
