import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { messageOf } from "../../contract/errors.js";
import type { Config } from "../config.js";
import { type OperationsSources, startOperationsServer } from "../http/operations-server.js";
import { exitProcess } from "../infra/exit-process.js";
import type { Log, OpenedLog } from "../infra/observability/log.js";
import { createMetrics, type Metrics, noMetrics } from "../infra/observability/metrics.js";
import { ignoredSignal, stopSignals } from "../infra/stop-signals.js";
import { serviceVersion } from "../infra/version.js";
import type { Wait } from "../open-database.js";

/** How a process of the service starts and ends, whether it serves requests itself or only starts those that do. */

const drainMs = 10_000;
const flushMs = 1_000;

export async function openMetrics(config: Config, { destination }: OpenedLog): Promise<Metrics> {
  const metrics = config.operations === null ? noMetrics : await createMetrics();
  metrics.counter("svc_log_lines_dropped_total", "Log lines dropped because nobody read them", destination.dropped);
  return metrics;
}

export function listenForOperations(sources: OperationsSources, address: { host: string; port: number }) {
  return startOperationsServer(sources, address).catch((error: unknown) => {
    throw new Error(
      `cannot listen on OPERATIONS_HOST:OPERATIONS_PORT (${address.host}:${address.port}): ${messageOf(error)}`,
    );
  });
}

export type StopSignal = (typeof stopSignals)[number];

/** The first line of a process that serves, or starts those that do. */
export function logStart(log: Log, fields: Record<string, unknown> = {}): void {
  log.info({ version: serviceVersion, node: process.versions.node, ...fields }, "started");
}

export type Stop = {
  /** Drains, closes and exits: with 0, or with 1 after `drainMs` or a failure. A second call exits at once. */
  (request: StopRequest): void;
  isStopping(): boolean;
};

export type StopRequest = {
  graceMs: number;
  /** Null for a worker whose primary has ended. */
  signal: StopSignal | null;
};

export type StopOptions = {
  drain: (request: StopRequest) => Promise<void>;
  opening: OpenedLog;
  close: () => Promise<void>;
  /** Added to the time in which requests must finish. */
  extraMs?: number;
  /** Called before an exit that does not wait. */
  abort?: () => void;
};

export function createStop({ drain, opening, close, extraMs = 0, abort = () => {} }: StopOptions): Stop {
  const { log, destination } = opening;
  let stopping = false;
  const exitNow = () => {
    abort();
    exitProcess(1);
  };
  const stop = ({ graceMs, signal }: StopRequest) => {
    const fields = { version: serviceVersion, signal };
    if (stopping) {
      log.warn(fields, "stopped by a second signal: requests were aborted");
      exitNow();
    }
    stopping = true;
    const startedAt = performance.now();
    log.info({ ...fields, grace_ms: graceMs }, "draining: requests are finished before the process stops");
    setTimeout(
      () => {
        log.error(
          fields,
          `requests or commands were still running ${drainMs / 1000} s after the grace period: they were aborted`,
        );
        exitNow();
      },
      graceMs + drainMs + extraMs,
    ).unref();
    drain({ graceMs, signal })
      .then(close)
      .then(
        async () => {
          log.info({ ...fields, duration_ms: Math.round(performance.now() - startedAt) }, "stopped");
          await destination.drained(flushMs);
          exitProcess(0);
        },
        (error: unknown) => {
          log.error({ ...fields, err: error }, "could not stop cleanly");
          exitNow();
        },
      );
  };
  return Object.assign(stop, { isStopping: () => stopping });
}

/** Npm passes on a signal that a terminal or a supervisor has also sent to the service itself. */
const repeatMs = 1_000;

/**
 * SIGTERM and SIGHUP become unready, serve for the grace period and let requests in flight finish; SIGINT, from a person,
 * has no grace period. A second signal, or a drain that takes too long, exits at once.
 */
export function stopOnSignals(stop: Stop, graceMs: number, onInterrupt: () => void): void {
  let repeatedUntil = 0;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (performance.now() < repeatedUntil) return;
      repeatedUntil = performance.now() + repeatMs;
      if (signal === "SIGINT" && !stop.isStopping()) onInterrupt();
      stop({ graceMs: signal === "SIGINT" ? 0 : graceMs, signal });
    });
  }
}

/** From the start, because other programs use this signal for harmless requests, such as to open a log again. */
export function ignoreSignal(log: Log): void {
  process.on(ignoredSignal, () =>
    log.info({ version: serviceVersion, signal: ignoredSignal }, `${ignoredSignal} has no effect`),
  );
}

/** Logs what ends the process, and exits with 1 once the line is written or nobody has read it for a second. */
export function exitOnCrash({ log, destination }: OpenedLog): (error: unknown, message: string) => void {
  let crashed = false;
  const exit = (error: unknown, message: string) => {
    log.fatal({ err: error }, message);
    if (crashed) return;
    crashed = true;
    void destination.drained(flushMs).finally(() => exitProcess(1));
  };
  process.on("uncaughtException", (error, origin) => exit(error, `crashed: ${origin}`));
  process.on("exit", () => destination.flush());
  return exit;
}

/** How long a start waits for the database, and where it says so. */
export function waitForDatabase(config: Config, log: Log): Wait {
  return {
    seconds: config.databaseWaitSeconds,
    onWait: (reason) => log.warn(`waiting for the database of DATABASE_URL: ${reason}`),
  };
}

export function warnOfGuessedUrl(config: Config, log: Log): void {
  if (!config.publicUrlIsGuessed) return;
  log.warn(`PUBLIC_URL is not set: links in responses begin with ${config.publicUrl}, which others may not reach`);
}

export function listenError(error: unknown, config: Config): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new Error(`port ${config.port} on ${config.host} is in use: choose another with --port`);
  if (code === "EACCES") return new Error(`port ${config.port} requires privileges: choose one above 1023`);
  return new Error(`cannot listen on ${config.host}:${config.port}: ${messageOf(error)}`);
}

/** A free port, chosen before the app is built because documents contain it. */
export async function findPort(config: Config): Promise<number> {
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
