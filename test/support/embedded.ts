import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../src/infra/database/db.js";

export type OpenedDatabase = {
  connection: Connection;
  /** Environment variables that make `svc` use this database. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

/** With a ticketing platform configured, `svc serve` does not start the sandbox, which most tests do not use. */
export const withoutSandbox = { TICKETING_URL: "http://127.0.0.1:9", TICKETING_API_KEY: "unused" };

/** The connection to an embedded database that a running process has open. */
export async function embeddedConnection(dataDir: string): Promise<Connection> {
  const lock = JSON.parse(await readFile(join(dataDir, "lock"), "utf8")) as { socket_dir: string; port: number };
  return { host: lock.socket_dir, port: lock.port, user: "postgres", database: "postgres" };
}
