import { type Logger, pino } from "pino";
import { describeError } from "./describe-error.js";
import { createLogDestination, type LogDestination } from "./log-destination.js";

export type Log = Logger;

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on stderr; stdout is reserved for the output of commands. */
export function createLog(level: LogLevel): Log {
  return openLog(level).log;
}

export type OpenedLog = { log: Log; destination: LogDestination };

/** A log with its destination, for the process that has to flush it and to report dropped lines. */
export function openLog(level: LogLevel): OpenedLog {
  const destination = createLogDestination(process.stderr, {
    onDropped: (lines) => log.warn({ dropped: lines }, "log lines were dropped: the reader of stderr was too slow"),
  });
  const log: Log = pino({ level, base: { pid: process.pid }, serializers: { err: describeError } }, destination);
  return { log, destination };
}

/**
 * A time for a line that is written often: a `Number` object, which pino writes with JSON.stringify; the text of a plain
 * number would stay in memory (docs/performance.md, "What a request leaves behind").
 */
export function timeInLog(ms: number): object {
  return Object(Math.round(ms * 100) / 100);
}
