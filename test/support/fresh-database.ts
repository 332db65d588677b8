import sql from "sql-template-tag";
import { beforeAll } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { migrate } from "../../src/infra/database/migrate.js";
import type { OpenedDatabase } from "./embedded.js";
import { openMigratedEmbedded } from "./migrated-database.js";
import { createMigratedDatabase } from "./postgres.js";

export type FreshDatabase = OpenedDatabase & { db: Database };

/** A database without rows for tests that read all of it: on the server of DATABASE_URL if set, otherwise embedded. */
export async function openFreshDatabase(): Promise<FreshDatabase> {
  const opened = process.env.DATABASE_URL ? await createMigratedDatabase() : await emptyEmbedded();
  const db = openDatabase(opened.connection, { poolSize: 4, onIdleError: () => {} });
  return {
    ...opened,
    db,
    async remove() {
      await db.close();
      await opened.remove();
    },
  };
}

/** Opens one before the tests and removes it after them: the object is filled in then. */
export function useFreshDatabase(): FreshDatabase {
  const fresh = {} as FreshDatabase;
  beforeAll(async () => {
    Object.assign(fresh, await openFreshDatabase());
    return fresh.remove;
  });
  return fresh;
}

let embedded: OpenedDatabase | undefined;

/** The files of a worker share one embedded database, one after another, because starting one takes seconds of CPU time. */
async function emptyEmbedded(): Promise<OpenedDatabase> {
  if (embedded === undefined) {
    embedded = await openMigratedEmbedded("fresh");
    return embedded;
  }
  const db = openDatabase(embedded.connection, { poolSize: 1, onIdleError: () => {} });
  await db.query(sql`drop schema public cascade`);
  // All files share the session too, with what an interrupted import has left there.
  await db.query(sql`discard temp`);
  await db.query(sql`create schema public`);
  await migrate(db);
  await db.close();
  return embedded;
}
