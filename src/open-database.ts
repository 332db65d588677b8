import sql from "sql-template-tag";
import type { Operator } from "./access/caller.js";
import { type Config, loadConfig } from "./config.js";
import { type Database, openDatabase } from "./platform/db.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./platform/embedded-db/embedded-db.js";
import { messageOf } from "./platform/errors.js";
import { migrate } from "./platform/migrate.js";

/**
 * Runs a command on the configured database after migrating it. The embedded database of a running service is reached
 * through that service's socket; otherwise the command owns it until it ends.
 */
export async function withDatabase<Result>(
  command: string,
  work: (db: Database, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig();
  const opened = await connect(config, { command, mode: "share" });
  try {
    await migrate(opened.db);
    return await work(opened.db, operatorOf(config));
  } finally {
    await opened.close();
  }
}

/** The person who runs a command, as records name them. */
export function operatorOf(config: Config): Operator {
  return { via: { kind: "command_line" }, name: config.operator };
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
    // The next query on a lost connection fails; a command has nothing to add.
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

/** Reports a database that cannot be used. The URL may contain a password, so only host and path are printed. */
async function checkConnection(db: Database, databaseUrl: string): Promise<void> {
  try {
    await db.query(sql`select 1`);
  } catch (error) {
    await db.close();
    const { host, pathname } = new URL(databaseUrl);
    throw new Error(`cannot use the database of DATABASE_URL (${host}${pathname}): ${messageOf(error)}`);
  }
}
