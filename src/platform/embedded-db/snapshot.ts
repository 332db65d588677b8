import { constants } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { raw } from "sql-template-tag";
import type { Database } from "../database/db.js";
import { databaseDirName } from "./data-dir.js";
import { defaultIdleInTransactionTimeoutMs, type EmbeddedDatabase, openEmbeddedDatabase } from "./embedded-db.js";

const prefix = "snapshot-";
/** A transaction that is idle for longer than the timeout while others wait is ended. */
const keepAliveMs = defaultIdleInTransactionTimeoutMs / 4;

/**
 * Opens a copy of an embedded database that another process has open. A transaction would keep the one session from that
 * process for as long as it lasts; the copy only does while its files are copied. It is removed when it is closed.
 */
export async function openSnapshot(
  db: Database,
  options: { dataDir: string; command: string },
): Promise<EmbeddedDatabase> {
  await removeAbandoned(options.dataDir);
  const directory = await mkdtemp(join(options.dataDir, `${prefix}${process.pid}-`));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    await db.transaction(async (tx) => {
      // Without it the copy would start with a recovery.
      await tx.query(raw("checkpoint"));
      const keepAlive = setInterval(() => tx.query(raw("select 1")).catch(() => undefined), keepAliveMs);
      await cp(join(options.dataDir, databaseDirName), join(directory, databaseDirName), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
      }).finally(() => clearInterval(keepAlive));
    });
    const copy = await openEmbeddedDatabase({ ...options, dataDir: directory, mode: "own" });
    return { ...copy, close: () => copy.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Copies of commands that were killed. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
