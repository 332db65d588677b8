import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Creates a folder in DATA_DIR for this process, and removes those of this kind that killed processes have left. */
export async function makeTemporaryDir(dataDir: string, kind: "snapshot" | "verify"): Promise<string> {
  for (const name of await readdir(dataDir)) {
    const pid = new RegExp(`^${kind}-(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await removeTemporaryDir(join(dataDir, name));
  }
  return mkdtemp(join(dataDir, `${kind}-${process.pid}-`));
}

/** Tries again while the thread of a database still creates files in it. */
export const removeTemporaryDir = (directory: string) =>
  rm(directory, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
