import { createHash } from "node:crypto";
import { cp, readFile } from "node:fs/promises";
import { inject } from "vitest";
import { type Connection, openDatabase } from "../../src/infra/database/db.js";
import { migrate, readMigrations } from "../../src/infra/database/migrate.js";
import { openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { makeVersionedDir } from "../../src/infra/embedded-db/template.js";
import { projectRoot } from "../../src/infra/project-root.js";
import type { OpenedDatabase } from "./embedded.js";

/** An embedded database of this process, with the schema. Two of them need different names. */
export async function openMigratedEmbedded(name: string): Promise<OpenedDatabase> {
  const dataDir = `${inject("temporaryDirectory")}/${name}-${process.pid}`;
  await cp(await migratedDataDir(), dataDir, { recursive: true });
  const { connection } = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
  return { connection, env: { DATA_DIR: dataDir }, remove: async () => {} };
}

/** A closed embedded database with the schema. Making it takes seconds of CPU time. */
async function migratedDataDir(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(new URL("package-lock.json", projectRoot)));
  for (const { name, checksum } of await readMigrations()) hash.update(name + checksum);
  return makeVersionedDir("test-database-", hash.digest("hex").slice(0, 16), async (dataDir) => {
    const { connection, close } = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
    await migrateDatabase(connection);
    await close();
  });
}

export async function migrateDatabase(connection: Connection): Promise<void> {
  const db = openDatabase(connection, { poolSize: 1, onIdleError: () => {} });
  await migrate(db);
  await db.close();
}
