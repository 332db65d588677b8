import type { OpenedDatabase } from "./embedded.js";
import { openMigratedEmbedded } from "./migrated-database.js";
import { createMigratedDatabase } from "./postgres.js";

/**
 * The database that the test files of this worker share, each with rows of its own: on the server of DATABASE_URL if set,
 * otherwise embedded in this process. It is opened for the first file that imports this one, and ends with the run.
 */
export const workerDatabase: OpenedDatabase = process.env.DATABASE_URL
  ? await createMigratedDatabase()
  : await openMigratedEmbedded("shared");
