import sql from "sql-template-tag";
import { messageOf } from "../../contract/errors.js";
import { loadConfig } from "../config.js";
import { type Connection, openDatabase } from "../infra/database/db.js";
import { scratchDatabaseOnServerOf } from "../infra/database/scratch-database.js";
import { openEmbeddedDatabase } from "../infra/embedded-db/embedded-db.js";
import { makeTemporaryDir, removeTemporaryDir } from "../infra/embedded-db/temporary-dir.js";
import { stopSignals } from "../infra/stop-signals.js";
import type { OpenedDatabase } from "../open-database.js";
import { restoreBackup } from "../transfer/restore-backup.js";
import type { BackupSummary } from "../transfer/write-backup.js";
import { withBackupFile } from "./backup-file.js";

/**
 * Restores a file into a scratch database on the server of the one that it is a backup of, which compares every table with its
 * checksum. Throws unless the file is the backup that was written and all of it was restored.
 */
export async function verifyBackup(file: string, written: BackupSummary, opened: OpenedDatabase): Promise<void> {
  const scratch = opened.embedded ? scratchFolder() : scratchDatabaseFor(opened);
  const restored = await removedAfter(scratch, async () => {
    const db = openDatabase(await scratch.create(), { poolSize: 2, onIdleError: () => {} });
    try {
      await db.query(sql`select`).catch((error: unknown) => {
        const advice = "it was created, so check what is between: a pooler must pass on databases of any name";
        throw new Error(`cannot connect to the scratch database: ${messageOf(error)} (${advice})`);
      });
      return await withBackupFile(file, ({ parts, onRows }) => restoreBackup(db, parts, { onRows }));
    } finally {
      await db.close();
    }
  });
  if (restored.sha256 !== written.sha256) throw new Error("another backup has replaced it meanwhile");
}

type Scratch = {
  create(): Promise<Connection>;
  close(): Promise<void>;
  /** Also for one that is not closed, or not created yet. */
  remove(): Promise<void>;
};

function scratchDatabaseFor({ db }: OpenedDatabase): Scratch {
  const { create, drop } = scratchDatabaseOnServerOf(db, loadConfig().databaseUrl ?? "");
  return { create, close: async () => {}, remove: drop };
}

function scratchFolder(): Scratch {
  let folder: string | undefined;
  let close = async () => {};
  return {
    async create() {
      folder = await makeTemporaryDir(loadConfig().dataDir, "verify");
      const database = await openEmbeddedDatabase({
        dataDir: folder,
        mode: "own",
        command: "svc backup --verify",
        // The next statement fails.
        onFailure: () => {},
      });
      close = database.close;
      return database.connection;
    },
    close: () => close(),
    async remove() {
      if (folder === undefined) return;
      await removeTemporaryDir(folder).catch((error: unknown) => {
        throw new Error(`cannot remove ${folder}: ${messageOf(error)}; the next svc backup --verify removes it`);
      });
    },
  };
}

/** Removes the scratch database whatever happens, also when the command is interrupted. */
async function removedAfter<Result>(scratch: Scratch, work: () => Promise<Result>): Promise<Result> {
  let isInterrupted = false;
  const remove = () =>
    scratch.remove().catch((error: unknown) => void process.stderr.write(`svc: ${messageOf(error)}\n`));
  const interrupt = () => {
    isInterrupted = true;
    void remove().finally(() => process.exit(130));
  };
  for (const signal of stopSignals) process.once(signal, interrupt);
  try {
    return await work();
  } catch (error) {
    // It fails because its database is being removed, and the process is about to exit.
    if (isInterrupted) await new Promise(() => {});
    throw error;
  } finally {
    await scratch.close();
    await remove();
    for (const signal of stopSignals) process.off(signal, interrupt);
  }
}
