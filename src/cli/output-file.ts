import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, rmSync, type WriteStream } from "node:fs";
import { type FileHandle, open, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { stopSignals } from "../infra/stop-signals.js";

/**
 * Writes to a temporary file in the same directory and renames it, so that a failure leaves an existing file intact. Only
 * its owner can read it: exports and backups contain guest lists.
 */
export async function writeOutputFile<Result>(
  file: string,
  write: (stream: Writable) => Promise<Result>,
): Promise<Result> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isDirectory()) throw new Error(`${file} is a directory: expected a file`);
  // A device or pipe cannot be replaced by renaming a file over it.
  if (existing !== undefined && !existing.isFile()) return writeStream(file, createWriteStream(target), write);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  const abort = () => {
    rmSync(temporary, { force: true });
    process.exit(130);
  };
  for (const signal of stopSignals) process.once(signal, abort);
  try {
    const stream = createWriteStream(temporary, { flags: "wx", flush: true, mode: 0o600 });
    const result = await writeStream(file, stream, write);
    await rename(temporary, target);
    return result;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    for (const signal of stopSignals) process.off(signal, abort);
  }
}

async function writeStream<Result>(
  file: string,
  stream: WriteStream,
  write: (stream: Writable) => Promise<Result>,
): Promise<Result> {
  try {
    await once(stream, "open");
  } catch (error) {
    throw new Error(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const result = await write(stream);
    stream.end();
    await finished(stream);
    return result;
  } catch (error) {
    // Writes that are still pending fail when the stream is destroyed; the first error is the one to report.
    stream.on("error", () => {});
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Opens a file that a user has named. */
export async function openInputFile(file: string): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `no such file: ${file}` : `cannot read ${file}: ${error.code}`);
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) return { handle, size: stats.size };
  await handle.close();
  throw new Error(`${file} is a directory: expected a file`);
}
