import { Writable } from "node:stream";
import { pino } from "pino";
import { describeError } from "../../src/infra/observability/describe-error.js";
import type { Log } from "../../src/infra/observability/log.js";

export type LogLine = Record<string, unknown> & { level: number; msg: string };

/** A log like the service's, kept in memory. */
export function createMemoryLog(level = "info"): { log: Log; text(): string; lines(): LogLine[] } {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return {
    log: pino({ level, base: null, serializers: { err: describeError } }, stream),
    text: () => text,
    lines: () =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as LogLine),
  };
}
