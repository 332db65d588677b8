import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { isDatabaseEmpty } from "../../demo/database-empty.js";
import type { DemoSummary } from "../../demo/load-demo.js";
import { type Config, loadConfig } from "../config.js";
import { createDrain } from "../http/drain.js";
import type { OperationsServer } from "../http/operations-server.js";
import { embeddedLimits, serverLimits } from "../infra/database/database-limits.js";
import type { Database } from "../infra/database/db.js";
import { type Log, openLog } from "../infra/observability/log.js";
import { connect, hasEmbeddedDatabase, operatorOf } from "../open-database.js";
import { type SandboxChild, startSandboxChild } from "../ticketing-sandbox/child.js";
import {
  createStop,
  exitOnCrash,
  findPort,
  ignoreSignal,
  listenError,
  listenForOperations,
  logStart,
  openMetrics,
  stopOnSignals,
  waitForDatabase,
  warnOfGuessedUrl,
} from "./life-cycle.js";
import { openServing } from "./serving.js";
import { migrateAtStart, type OnStep, reportSteps } from "./start-steps.js";

export type ServiceOptions = {
  port?: number;
  host?: string;
  workers?: number;
  /** Whether to load demo data into an empty embedded database. */
  demo: boolean;
  onStep: OnStep | undefined;
  /** Called when a person stops it with Ctrl-C. */
  onInterrupt: () => void;
};

export type RunningService = {
  config: Config;
  sandbox: SandboxChild | undefined;
  demo: DemoSummary | undefined;
  /** Somebody whose password an earlier start has printed, with the demo data. */
  demoPerson: string | undefined;
  isDatabaseEmpty: boolean;
  operationsUrl: string | undefined;
};

/** Opens the database, migrates, builds the app and listens. From then on signals drain and stop the process. */
export async function startService(given: Config, options: ServiceOptions): Promise<RunningService> {
  const opening = openLog(given.logLevel);
  const { log } = opening;
  const crash = exitOnCrash(opening);
  ignoreSignal(log);
  const metrics = await openMetrics(given, opening);
  const onStep = reportSteps(options.onStep, log);
  if (given.databaseUrl === null)
    onStep(`${hasEmbeddedDatabase(given.dataDir) ? "opening" : "creating"} the database in ${given.dataDir}`);
  let sandbox: Promise<SandboxChild | undefined> = Promise.resolve(undefined);
  const stopSandbox = () =>
    sandbox.then(
      (started) => started?.stop(),
      () => {},
    );
  const opened = await connect(given, {
    command: "serve",
    mode: "own",
    wait: waitForDatabase(given, log),
    onEmbeddedFailure: (error) => crash(error, "the embedded database stopped"),
    onOpening() {
      sandbox = startTicketingSandbox(given, options.demo, log);
      // Reported where it is awaited.
      sandbox.catch(() => {});
      void loadApp();
    },
  }).catch(async (error: unknown) => {
    await stopSandbox();
    throw error;
  });
  const limits = opened.embedded ? embeddedLimits : serverLimits;
  const serving = openServing(given, log, metrics, { connection: opened.connection, limits });
  const { operations } = serving;
  let app: FastifyInstance | undefined;
  let operationsServer: OperationsServer | undefined;
  const close = async () => {
    await stopSandbox();
    await serving.close();
    await opened.close();
    await operationsServer?.close();
  };
  try {
    // Everything that can fail comes before the demo is loaded: its keys are printed only after a successful start.
    const port = await findPort(given);
    const config = port === given.port ? given : loadConfig(undefined, { ...options, port });
    warnOfGuessedUrl(config, log);
    await migrateAtStart(opened.db, log, onStep);
    const { buildApp } = await loadApp();
    const startedSandbox = await sandbox;
    app = buildApp({ ...config, ticketing: startedSandbox ?? config.ticketing }, serving.db, log, {}, operations);
    const drain = createDrain(app, operations.readiness);
    // One that DATABASE_URL names belongs to its operator, empty or not.
    const demo = options.demo && opened.embedded ? await loadDemo(opened.db, config, onStep) : undefined;
    const demoPerson = demo === undefined && opened.embedded ? await findDemoPerson(opened.db) : undefined;
    const isEmpty = await isDatabaseEmpty(opened.db);
    if (config.operations !== null) operationsServer = await listenForOperations(operations, config.operations);
    await app.listen({ port, host: config.host }).catch((error: unknown) => {
      throw listenError(error, config);
    });
    stopOnSignals(createStop({ drain, opening, close }), config.shutdownGraceMs, options.onInterrupt);
    logStart(log);
    const operationsUrl = operationsServer?.url;
    return { config, sandbox: startedSandbox, demo, demoPerson, isDatabaseEmpty: isEmpty, operationsUrl };
  } catch (error) {
    await app?.close();
    await close();
    throw error;
  }
}

/** Most of the service's modules. */
function loadApp() {
  return import("../app.js");
}

async function loadDemo(db: Database, config: Config, onStep: OnStep): Promise<DemoSummary | undefined> {
  if (!(await isDatabaseEmpty(db))) return undefined;
  return (await import("../../demo/load-demo.js")).loadDemo(db, operatorOf(config), onStep);
}

async function findDemoPerson(db: Database): Promise<string | undefined> {
  return (await import("../../demo/demo-people.js")).findDemoPerson(db);
}

/** With an embedded database and no configured platform, a sandbox of the platform runs as a child process. */
async function startTicketingSandbox(config: Config, withDemo: boolean, log: Log): Promise<SandboxChild | undefined> {
  if (config.databaseUrl !== null || config.ticketing !== null) return undefined;
  const buildSeed = async () => (await import("../../demo/ticketing-seed.js")).buildTicketingSeed(new Date());
  return startSandboxChild(join(config.dataDir, "ticketing-sandbox"), withDemo ? buildSeed : undefined, log);
}
