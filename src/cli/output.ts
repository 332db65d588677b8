import { once } from "node:events";
import type { Writable } from "node:stream";

/** Terminal output of commands: lines, progress bars and steps, or one JSON document with --json. For tables see table.ts. */

let printed = false;

export function print(line: string): void {
  printed = true;
  process.stdout.write(`${line}\n`);
}

/** Whether this command has printed anything on stdout. */
export function hasPrinted(): boolean {
  return printed;
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** "1 key", "2 keys". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** For output of any length: waits for a slow reader and rejects once the stream has failed. */
export function writerOf(stream: Writable): (text: string) => Promise<void> {
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  return async (text) => {
    printed = true;
    if (failure !== undefined) throw failure;
    if (!stream.write(text)) await once(stream, "drain");
  };
}

/** A reader such as `head` closes the pipe early; that is not an error. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "EPIPE";
}

/** Prints a line on stderr for each step of something that takes a while; none unless stderr is a terminal. */
export function stepPrinter(): ((step: string) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (step) => process.stderr.write(`${step} …\n`);
}

export type Progress = { update(done: number, total: number, label: string): void; finish(): void };

const barWidth = 28;
const redrawIntervalMs = 80;

/** A progress bar on stderr, drawn only if stderr is a terminal. */
export function showProgress(): Progress {
  const stream = process.stderr;
  if (!stream.isTTY) return { update() {}, finish() {} };
  let drawnAt = 0;
  return {
    update(done, total, label) {
      const now = performance.now();
      if (now - drawnAt < redrawIntervalMs && done < total) return;
      drawnAt = now;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const filled = Math.round(share * barWidth);
      const percent = String(Math.floor(share * 100)).padStart(3);
      stream.write(`\r\x1b[2K${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${percent} %  ${label}`);
    },
    finish() {
      stream.write("\r\x1b[2K");
    },
  };
}

export function bold(text: string): string {
  return supportsStyles() ? `\x1b[1m${text}\x1b[22m` : text;
}

export function dim(text: string): string {
  return supportsStyles() ? `\x1b[2m${text}\x1b[22m` : text;
}

/** `hasColors` also honors NO_COLOR. */
function supportsStyles(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

/** Replaces control and bidirectional characters: names are user input and must not control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "�");
}
