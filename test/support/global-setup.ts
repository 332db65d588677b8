import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Connection, openDatabase } from "../../src/platform/database/db.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { startEmbedded } from "./embedded.js";
import { createPostgresDatabase } from "./postgres.js";

declare module "vitest" {
  export interface ProvidedContext {
    database: Connection;
    /** Removed after the run. */
    temporaryDirectory: string;
  }
}

/** One database for the whole run: on the server of DATABASE_URL if set, otherwise embedded, with optimized code. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.TEST_PROCESSES && !(process.env.DATABASE_URL && process.env.REDIS_URL))
    throw new Error("TEST_PROCESSES needs DATABASE_URL and REDIS_URL: set them, or unset it");
  const shared = process.env.DATABASE_URL ? await createPostgresDatabase() : await startEmbedded([]);
  const db = openDatabase(shared.connection, { poolSize: 1, onIdleError: () => {} });
  await migrate(db);
  await db.close();
  project.provide("database", shared.connection);
  const temporaryDirectory = await mkdtemp(join(tmpdir(), "svc-test-"));
  project.provide("temporaryDirectory", temporaryDirectory);
  return async () => {
    await shared.remove();
    await rm(temporaryDirectory, { recursive: true, force: true });
  };
}
