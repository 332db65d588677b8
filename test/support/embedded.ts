import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../src/platform/db.js";
import { startCommand } from "./svc.js";

export type OpenedDatabase = {
  connection: Connection;
  /** The environment in which `svc` uses this database. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

/** An embedded database of its own, behind a service that runs beside it. */
export async function startEmbedded(): Promise<OpenedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  const server = await startCommand(["serve", "--no-demo", "--port", "0", "--json"], { DATA_DIR: dataDir });
  const lock = JSON.parse(await readFile(join(dataDir, "lock"), "utf8")) as { socket_dir: string; port: number };
  return {
    connection: { host: lock.socket_dir, port: lock.port, user: "postgres", database: "postgres" },
    env: { DATA_DIR: dataDir },
    async remove() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
