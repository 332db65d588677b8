import { pino } from "pino";

export type Log = ReturnType<typeof createLog>;

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on stderr; stdout is reserved for the output of commands. */
export function createLog(level: LogLevel) {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
