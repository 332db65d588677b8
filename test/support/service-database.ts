import { embeddedLimits } from "../../src/infra/database/database-limits.js";
import { type Connection, type Database, type DatabaseOptions, openDatabase } from "../../src/infra/database/db.js";
import { workerDatabase } from "./worker-database.js";

/**
 * A database as a service opens it, on which a change on a connection for reading fails. Its limits are those that a busy
 * machine does not reach. What tests prepare and look up needs a database of its own.
 */
export function openServiceDatabase(
  connection: Connection = workerDatabase.connection,
  options: Partial<DatabaseOptions> = {},
): Database {
  return openDatabase(connection, { poolSize: 4, onIdleError: () => {}, limits: embeddedLimits, ...options });
}
