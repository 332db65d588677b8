import { inject } from "vitest";
import { type Connection, openDatabase } from "../../src/platform/database/db.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { openEmbeddedDatabase } from "../../src/platform/embedded-db/embedded-db.js";
import type { OpenedDatabase } from "./embedded.js";

/** An embedded database of this process, with the schema. Two of them need different names. */
export async function openMigratedEmbedded(name: string): Promise<OpenedDatabase> {
  const dataDir = `${inject("temporaryDirectory")}/${name}-${process.pid}`;
  const { connection } = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
  await migrateDatabase(connection);
  return { connection, env: { DATA_DIR: dataDir }, remove: async () => {} };
}

export async function migrateDatabase(connection: Connection): Promise<void> {
  const db = openDatabase(connection, { poolSize: 1, onIdleError: () => {} });
  await migrate(db);
  await db.close();
}
