import { inject } from "vitest";

/** The environment in which `svc` uses the database that all tests of a run share. */
export function sharedDatabase(): Record<string, string> {
  const connection = inject("database");
  if ("connectionString" in connection) return { DATABASE_URL: connection.connectionString };
  return { DATA_DIR: connection.host };
}
