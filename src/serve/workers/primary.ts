import { isDatabaseEmpty } from "../../../demo/database-empty.js";
import { type Config, loadConfig, missingForWorkers } from "../../config.js";
import type { OperationsServer } from "../../http/operations-server.js";
import { type Log, openLog } from "../../infra/observability/log.js";
import { connect } from "../../open-database.js";
import {
  createStop,
  exitOnCrash,
  findPort,
  ignoreSignal,
  listenForOperations,
  logStart,
  openMetrics,
  stopOnSignals,
  waitForDatabase,
  warnOfGuessedUrl,
} from "../life-cycle.js";
import type { RunningService, ServiceOptions } from "../service.js";
import { migrateAtStart, type OnStep, reportSteps } from "../start-steps.js";
import { observeWorkers } from "./observe-workers.js";
import { createSupervisor } from "./supervisor.js";

/** Workers have this long after their own deadline to report that they have aborted requests. */
const reportMs = 2_000;

/** Migrates once, then starts the workers, which serve one port. It loads nothing of what serves requests. */
export async function startWorkers(given: Config, options: ServiceOptions): Promise<RunningService> {
  requireSharedState(given);
  const opening = openLog(given.logLevel);
  const { log } = opening;
  exitOnCrash(opening);
  ignoreSignal(log);
  const onStep = reportSteps(options.onStep, log);
  const { port, isEmpty } = await prepare(given, log, onStep);
  const config = port === given.port ? given : loadConfig(undefined, { ...options, port });
  warnOfGuessedUrl(config, log);
  const metrics = await openMetrics(config, opening);
  const env = { PORT: String(port), HOST: config.host, WORKERS: String(config.workers) };
  const supervisor = createSupervisor({ count: config.workers, env, opening });
  let operationsServer: OperationsServer | undefined;
  const close = async () => operationsServer?.close();
  try {
    if (config.operations !== null) {
      const observed = await observeWorkers(supervisor, metrics, config.workers);
      operationsServer = await listenForOperations(observed, config.operations);
    }
    onStep(`starting ${config.workers} workers`);
    await supervisor.start();
  } catch (error) {
    supervisor.kill();
    await close();
    throw error;
  }
  const stop = createStop({ drain: supervisor.stop, opening, close, extraMs: reportMs, abort: supervisor.kill });
  stopOnSignals(stop, config.shutdownGraceMs, options.onInterrupt);
  logStart(log, { workers: config.workers });
  const operationsUrl = operationsServer?.url;
  return {
    config,
    sandbox: undefined,
    demo: undefined,
    demoPerson: undefined,
    isDatabaseEmpty: isEmpty,
    operationsUrl,
  };
}

function requireSharedState(config: Config): void {
  const [missing] = missingForWorkers(config);
  if (missing !== undefined) throw new Error(`${missing.finding}: ${missing.remedy}`);
}

async function prepare(config: Config, log: Log, onStep: OnStep): Promise<{ port: number; isEmpty: boolean }> {
  const opened = await connect(config, { command: "serve", mode: "own", wait: waitForDatabase(config, log) });
  try {
    const port = await findPort(config);
    await migrateAtStart(opened.db, log, onStep);
    return { port, isEmpty: await isDatabaseEmpty(opened.db) };
  } finally {
    await opened.close();
  }
}
