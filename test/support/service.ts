import type { Server } from "node:http";
import { buildApp, type Tuning } from "../../src/app.js";
import { type Config, loadConfig } from "../../src/config.js";
import { type Connection, type Database, openDatabase } from "../../src/infra/database/db.js";
import { createLog, type Log } from "../../src/infra/observability/log.js";
import { type CallOptions, call, type Reply } from "./call.js";
import { createTestPosterGenerator } from "./poster-generator.js";
import { listenTogether, processCount, redisOf } from "./processes.js";
import { openServiceDatabase } from "./service-database.js";
import { workerDatabase } from "./worker-database.js";

export type Service = {
  db: Database;
  url: string;
  server: Server;
  call(path: string, options?: CallOptions): Promise<Reply>;
  close(): Promise<void>;
};

export const publicUrl = "https://svc.test";

export type TestTuning = Tuning & {
  wrapDatabase?: (db: Database) => Database;
  /** Why this test needs a service of one process; see processes.ts. */
  oneProcess?: string;
};

/** Starts the whole service in this process, on the run's shared database by default, on a free port. */
export async function startService(
  overrides: Partial<Config> = {},
  connection: Connection = workerDatabase.connection,
  log?: Log,
  { wrapDatabase = (db) => db, oneProcess, ...tuning }: TestTuning = {},
): Promise<Service> {
  const count = processCount(connection, oneProcess);
  const config: Config = {
    ...loadConfig({}),
    publicUrl,
    logLevel: "silent",
    redisUrl: redisOf(count),
    ...overrides,
  };
  config.limits = { ...config.limits, rest: 1_000_000, ...overrides.limits };
  const databases = Array.from({ length: count }, () => openServiceDatabase(connection));
  const ownDb = openDatabase(connection, { poolSize: 4, onIdleError: () => {} });
  const apps = databases.map((db) =>
    buildApp(config, wrapDatabase(db), log ?? createLog(config.logLevel), {
      posterGenerator: createTestPosterGenerator(db, config.publicUrl),
      ...tuning,
    }),
  );
  const { server, port, close } = await listenTogether(apps, overrides.port);
  const url = `http://127.0.0.1:${port}`;
  return {
    db: ownDb,
    url,
    server,
    call: (path, options) => call(url, path, options),
    async close() {
      await close();
      for (const db of [...databases, ownDb]) await db.close();
    },
  };
}
