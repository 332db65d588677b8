import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { embeddedConnection, withoutSandbox } from "../support/embedded.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { type Running, startCommand } from "../support/svc.js";

export type RunningService = {
  /** Environment variables that make `svc` use this database. */
  env: Record<string, string>;
  db: Database;
  server: Running;
  url: string;
  /** Kills the service and restarts it on the same database. */
  crash(): Promise<void>;
  remove(): Promise<void>;
};

export type DatabaseKind = "embedded" | "postgres";

/** Starts `svc serve` on an empty database: on the server of DATABASE_URL if set, otherwise embedded. */
export async function serveFreshDatabase(
  kind = defaultKind(),
  variables: Record<string, string> = {},
): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  const postgres = kind === "postgres" ? await createPostgresDatabase() : undefined;
  const env = {
    DATA_DIR: dataDir,
    REST_LIMIT: "1000000",
    ...variables,
    ...withoutSandbox,
    ...postgres?.env,
  };
  const start = async () => {
    const server = await startCommand(["serve", "--no-demo", "--port", "0", "--json"], env);
    const db = openDatabase(postgres?.connection ?? (await embeddedConnection(dataDir)), {
      poolSize: 2,
      onIdleError: () => {},
    });
    return { server, db, url: server.ready.url };
  };
  const served: RunningService = {
    env,
    ...(await start()),
    async crash() {
      await served.server.stop("SIGKILL");
      await served.db.close();
      Object.assign(served, await start());
    },
    async remove() {
      await served.db.close();
      await served.server.stop();
      await postgres?.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return served;
}

function defaultKind(): DatabaseKind {
  return process.env.DATABASE_URL ? "postgres" : "embedded";
}
