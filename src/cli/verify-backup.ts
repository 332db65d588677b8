import { loadConfig } from "../config.js";
import type { OpenedDatabase } from "../open-database.js";
import { type Connection, openDatabase } from "../platform/database/db.js";
import { createScratchDatabase } from "../platform/database/scratch-database.js";
import { openEmbeddedDatabase } from "../platform/embedded-db/embedded-db.js";
import { makeTemporaryDir, removeTemporaryDir } from "../platform/embedded-db/temporary-dir.js";
import { messageOf } from "../platform/errors.js";
import { restoreBackup } from "../transfer/restore-backup.js";
import type { BackupSummary } from "../transfer/write-backup.js";
import { withBackupFile } from "./backup-file.js";

/**
 * Restores a file into a scratch database beside the one that it is a backup of, which compares every table with its
 * checksum. Throws unless the file is the backup that was written and all of it was restored.
 */
export async function verifyBackup(file: string, written: BackupSummary, opened: OpenedDatabase): Promise<void> {
  const scratch = opened.embedded ? await createScratchDir() : await createBeside(opened);
  const restored = await removedAfter(scratch, async () => {
    const connection = await scratch.open();
    const db = openDatabase(connection, { poolSize: 2, onIdleError: () => {} });
    try {
      return await withBackupFile(file, ({ parts, onRows }) => restoreBackup(db, parts, { onRows }));
    } finally {
      await db.close();
    }
  });
  if (restored.sha256 !== written.sha256) throw new Error("it was replaced by another backup meanwhile");
}

type Scratch = {
  open(): Promise<Connection>;
  /** What is left of it if it cannot be removed, and what becomes of that. */
  leftover: string;
  close(): Promise<void>;
  remove(): Promise<void>;
};

async function createBeside({ db }: OpenedDatabase): Promise<Scratch> {
  const { name, connection, drop } = await createScratchDatabase(db, loadConfig().databaseUrl ?? "");
  return {
    open: async () => connection,
    leftover: `the scratch database ${name}, which svc backup --verify drops when it is an hour old`,
    close: async () => {},
    remove: drop,
  };
}

async function createScratchDir(): Promise<Scratch> {
  const dataDir = await makeTemporaryDir(loadConfig().dataDir, "verify");
  let close = async () => {};
  return {
    async open() {
      const database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "svc backup --verify" });
      close = database.close;
      return database.connection;
    },
    leftover: `the folder ${dataDir}, which the next svc backup --verify removes`,
    close: () => close(),
    remove: () => removeTemporaryDir(dataDir),
  };
}

/** Removes the scratch database whatever happens, also when the command is interrupted. */
async function removedAfter<Result>(scratch: Scratch, work: () => Promise<Result>): Promise<Result> {
  let isInterrupted = false;
  const remove = () =>
    scratch.remove().catch((error: unknown) => {
      process.stderr.write(`svc: could not remove ${scratch.leftover}: ${messageOf(error)}\n`);
    });
  const interrupt = () => {
    isInterrupted = true;
    void remove().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work();
  } catch (error) {
    // It fails because its database is being removed, and the process is about to exit.
    if (isInterrupted) await new Promise(() => {});
    throw error;
  } finally {
    await scratch.close();
    await remove();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}
