import sql from "sql-template-tag";
import { type Config, loadConfig } from "./config.js";
import { type Database, openDatabase } from "./platform/db.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./platform/embedded-db/embedded-db.js";
import { messageOf } from "./platform/errors.js";
import { migrate } from "./platform/migrate.js";

/**
 * Runs a command against the configured database, brought up to date. An embedded database that a running service owns
 * is reached through that service's socket; otherwise the command owns it for as long as it takes.
 */
export async function withDatabase<Result>(
  command: string,
  work: (db: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig();
  const opened = await connect(config, { command, mode: "share" });
  try {
    await migrate(opened.db);
    return await work(opened.db, config);
  } finally {
    await opened.close();
  }
}

export type OpenedDatabase = { db: Database; embedded: boolean; close(): Promise<void> };

export async function connect(
  config: Config,
  options: {
    command: string;
    mode: "own" | "share";
    onIdleError?: (error: Error) => void;
    onEmbeddedFailure?: (error: Error) => void;
  },
): Promise<OpenedDatabase> {
  const embedded: EmbeddedDatabase | undefined =
    config.databaseUrl === null
      ? await openEmbeddedDatabase({
          dataDir: config.dataDir,
          mode: options.mode,
          command: `svc ${options.command}`,
          ...(options.onEmbeddedFailure === undefined ? {} : { onFailure: options.onEmbeddedFailure }),
        })
      : undefined;
  const db = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl ?? "" }, {
    poolSize: config.databasePoolSize,
    // The next query on a lost connection fails by itself; a command has nothing to add.
    onIdleError: options.onIdleError ?? (() => {}),
  });
  if (config.databaseUrl !== null) await checkConnection(db, config.databaseUrl);
  return {
    db,
    embedded: embedded !== undefined,
    async close() {
      await db.close();
      await embedded?.close();
    },
  };
}

/** A server that cannot be used is reported once, here, by what to change. The URL holds a password: only its host is shown. */
async function checkConnection(db: Database, databaseUrl: string): Promise<void> {
  try {
    await db.query(sql`select 1`);
  } catch (error) {
    await db.close();
    const { host, pathname } = new URL(databaseUrl);
    throw new Error(`cannot use the database that DATABASE_URL names (${host}${pathname}): ${messageOf(error)}`);
  }
}
