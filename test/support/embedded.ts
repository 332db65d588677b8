import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../src/infra/database/db.js";
import { startCommand } from "./svc.js";

export type OpenedDatabase = {
  connection: Connection;
  /** Environment variables that make `svc` use this database. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

/** With a ticketing platform configured, `svc serve` does not start the sandbox, which most tests do not use. */
export const withoutSandbox = { TICKETING_URL: "http://127.0.0.1:9", TICKETING_API_KEY: "unused" };

/** Starts a process with a new embedded database. */
export async function startEmbedded(nodeOptions?: string[]): Promise<OpenedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  const env = { DATA_DIR: dataDir, ...withoutSandbox };
  const server = await startCommand(["serve", "--no-demo", "--port", "0", "--json"], env, nodeOptions);
  return {
    connection: await embeddedConnection(dataDir),
    env: { DATA_DIR: dataDir },
    async remove() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The connection to an embedded database that a running process has open. */
export async function embeddedConnection(dataDir: string): Promise<Connection> {
  const lock = JSON.parse(await readFile(join(dataDir, "lock"), "utf8")) as { socket_dir: string; port: number };
  return { host: lock.socket_dir, port: lock.port, user: "postgres", database: "postgres" };
}
