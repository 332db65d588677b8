import sql from "sql-template-tag";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/db.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../../src/platform/embedded-db/embedded-db.js";
import type { OpenedDatabase } from "./embedded.js";
import { createPostgresDatabase } from "./postgres.js";

export type FreshDatabase = OpenedDatabase & { db: Database };

/** An empty database for tests that read all of it: on the server of DATABASE_URL if set, otherwise embedded. */
export async function openFreshDatabase(): Promise<FreshDatabase> {
  const opened = process.env.DATABASE_URL ? await createPostgresDatabase() : await useEmbedded();
  const db = openDatabase(opened.connection, { poolSize: 4, onIdleError: () => {} });
  await db.query(sql`drop schema public cascade`);
  // All files that share an embedded database share its session too, with what an interrupted import has left there.
  await db.query(sql`discard temp`);
  await db.query(sql`create schema public`);
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

let embedded: Promise<EmbeddedDatabase> | undefined;

/** The files of a worker share one embedded database, one after another, because starting one takes seconds of CPU time. */
async function useEmbedded(): Promise<OpenedDatabase> {
  const dataDir = `${inject("temporaryDirectory")}/${process.pid}`;
  embedded ??= openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
  return { connection: (await embedded).connection, env: { DATA_DIR: dataDir }, remove: async () => {} };
}
