import { inject } from "vitest";

/** Environment variables that make `svc` use the run's shared database. */
export function sharedDatabase(): Record<string, string> {
  const connection = inject("database");
  if ("connectionString" in connection) return { DATABASE_URL: connection.connectionString };
  return { DATA_DIR: connection.host };
}
