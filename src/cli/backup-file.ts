import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type BackupPart, readBackup, withoutLeftOut } from "../transfer/read-backup.js";
import { showProgress } from "./output.js";
import { openInputFile } from "./output-file.js";

export type BackupFile = {
  parts: AsyncIterable<BackupPart>;
  onRows: (done: number, label: string) => void;
  /** Names of the tables that `parts` has left out so far. */
  leftOut: string[];
};

/** Reads a file of svc backup, or standard input if its name is "-", and shows the progress. */
export async function withBackupFile<Result>(
  file: string,
  work: (opened: BackupFile) => Promise<Result>,
): Promise<Result> {
  const input = await openInput(file);
  const progress = showProgress();
  const gunzip = createGunzip();
  // The reader of its output gets the error.
  pipeline(input, gunzip).catch(() => undefined);
  try {
    const onRows = (done: number, label: string) => progress.update(0, 1, `${done} rows, ${label}`);
    const leftOut: string[] = [];
    const parts = withoutLeftOut(readBackup(gunzip), (table) => leftOut.push(table));
    return await work({ parts, onRows, leftOut });
  } finally {
    progress.finish();
    gunzip.destroy();
    input.destroy();
  }
}

async function openInput(file: string): Promise<Readable> {
  if (file === "-") return process.stdin;
  const { handle } = await openInputFile(file);
  return handle.createReadStream();
}
