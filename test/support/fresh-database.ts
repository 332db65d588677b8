import { type Database, openDatabase } from "../../src/platform/db.js";
import { migrate } from "../../src/platform/migrate.js";
import { type OpenedDatabase, startEmbedded } from "./embedded.js";
import { createPostgresDatabase } from "./postgres.js";

export type FreshDatabase = OpenedDatabase & { db: Database };

/** A new database for tests that read all of it: on the server of DATABASE_URL if set, otherwise embedded. */
export async function openFreshDatabase(): Promise<FreshDatabase> {
  const opened = process.env.DATABASE_URL ? await createPostgresDatabase() : await startEmbedded();
  const db = openDatabase(opened.connection, { poolSize: 4, onIdleError: () => {} });
  await migrate(db);
  return {
    ...opened,
    db,
    async remove() {
      await db.close();
      await opened.remove();
    },
  };
}
