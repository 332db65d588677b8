import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Connection, openDatabase } from "../../src/platform/db.js";
import { migrate } from "../../src/platform/migrate.js";
import { createPostgresDatabase } from "./postgres.js";
import { startCommand } from "./svc.js";

declare module "vitest" {
  export interface ProvidedContext {
    database: Connection;
  }
}

/** One database for the whole run: of the server that DATABASE_URL names, or else an embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = process.env.DATABASE_URL ? await createPostgresDatabase() : await startEmbedded();
  const db = openDatabase(shared.connection, { poolSize: 1, onIdleError: () => {} });
  await migrate(db);
  await db.close();
  project.provide("database", shared.connection);
  return shared.remove;
}

async function startEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  const server = await startCommand(["serve", "--no-demo", "--port", "0", "--json"], { DATA_DIR: dataDir });
  const lock = JSON.parse(await readFile(join(dataDir, "lock"), "utf8")) as { socket_dir: string; port: number };
  return {
    connection: { host: lock.socket_dir, port: lock.port, user: "postgres", database: "postgres" },
    async remove() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
