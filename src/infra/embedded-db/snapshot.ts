import { constants } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { raw } from "sql-template-tag";
import type { Database } from "../database/db.js";
import { databaseDirName } from "./data-dir.js";
import { defaultIdleInTransactionTimeoutMs, type EmbeddedDatabase, openEmbeddedDatabase } from "./embedded-db.js";
import { makeTemporaryDir, removeTemporaryDir } from "./temporary-dir.js";

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
  const directory = await makeTemporaryDir(options.dataDir, "snapshot");
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
    return { ...copy, close: () => copy.close().finally(() => removeTemporaryDir(directory)) };
  } catch (error) {
    await removeTemporaryDir(directory);
    throw error;
  }
}
