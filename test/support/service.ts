import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";
import { buildApp, type Tuning } from "../../src/app.js";
import { type Config, loadConfig } from "../../src/config.js";
import { type Connection, type Database, openDatabase } from "../../src/platform/database/db.js";
import { createLog, type Log } from "../../src/platform/observability/log.js";
import { type CallOptions, call, type Reply } from "./call.js";
import { createTestPosterGenerator } from "./poster-generator.js";

export type Service = {
  db: Database;
  url: string;
  server: Server;
  call(path: string, options?: CallOptions): Promise<Reply>;
  close(): Promise<void>;
};

export const publicUrl = "https://svc.test";

/** Starts the whole service in this process, on the run's shared database by default, on a free port. */
export async function startService(
  overrides: Partial<Config> = {},
  connection?: Connection,
  log?: Log,
  { wrapDatabase = (db) => db, ...tuning }: Tuning & { wrapDatabase?: (db: Database) => Database } = {},
): Promise<Service> {
  const config: Config = { ...loadConfig({}), publicUrl, logLevel: "silent", ...overrides };
  config.limits = { ...config.limits, rest: 1_000_000, ...overrides.limits };
  const db = openDatabase(connection ?? inject("database"), { poolSize: 4, onIdleError: () => {} });
  const app = buildApp(config, wrapDatabase(db), log ?? createLog(config.logLevel), {
    posterGenerator: createTestPosterGenerator(db, config.publicUrl),
    ...tuning,
  });
  await app.listen({ port: overrides.port ?? 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    db,
    url,
    server: app.server,
    call: (path, options) => call(url, path, options),
    async close() {
      await app.close();
      await db.close();
    },
  };
}
