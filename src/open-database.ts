import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import type { Operator } from "./access/caller.js";
import { type Config, loadConfig } from "./config.js";
import { databaseMessage } from "./infra/database/database-errors.js";
import { type Connection, type Database, openDatabase, sqlState } from "./infra/database/db.js";
import { migrate, newerSchemaNotice, requireMigrations } from "./infra/database/migrate.js";
import { databaseDirName } from "./infra/embedded-db/data-dir.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./infra/embedded-db/embedded-db.js";
import { openSnapshot } from "./infra/embedded-db/snapshot.js";

export type DatabaseCommandOptions = {
  create?: true;
  /**
   * What a command does about pending migrations: apply them (the default), refuse to run, because it changes nothing, or
   * ignore them.
   */
  pending?: "apply" | "refuse" | "ignore";
};

/**
 * Runs a command on the configured database. The embedded database of a running service is reached
 * through that service's socket; otherwise the command owns it until it ends. With `create`, an embedded database that
 * does not exist yet is created.
 */
export async function withDatabase<Result>(
  command: string,
  work: (db: Database, operator: Operator, opened: OpenedDatabase) => Promise<Result>,
  options: DatabaseCommandOptions = {},
): Promise<Result> {
  const config = loadConfig();
  if (config.databaseUrl === null) checkEmbeddedDatabase(config.dataDir, options.create === true);
  const opened = await connect(config, { command, mode: "share" });
  try {
    await prepareSchema(opened.db, options.pending);
    return await work(opened.db, operatorOf(config), opened);
  } finally {
    await opened.close();
  }
}

async function prepareSchema(db: Database, pending: DatabaseCommandOptions["pending"] = "apply"): Promise<void> {
  if (pending === "apply") await migrate(db, { onNewerSchema: printNewerSchema });
  if (pending === "refuse") await requireMigrations(db, { onNewerSchema: printNewerSchema });
}

function printNewerSchema(names: string[]): void {
  process.stderr.write(`svc: ${newerSchemaNotice(names)}\n`);
}

/** A command in the wrong directory must not silently create a database there. */
export function checkEmbeddedDatabase(dataDir: string, mayCreate: boolean): void {
  if (hasEmbeddedDatabase(dataDir)) return;
  if (mayCreate) return void process.stderr.write(`svc: creating a database in ${resolve(dataDir)}\n`);
  throw new Error(
    `there is no database in ${resolve(dataDir)}: change to the directory of the service, or set DATA_DIR or DATABASE_URL`,
  );
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, databaseDirName));
}

/**
 * Runs work that reads everything, on a copy if the embedded database belongs to a running service: its requests would wait for
 * the work.
 */
export async function onSnapshot<Result>(
  { db, sharesSession }: OpenedDatabase,
  command: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!sharesSession) return work(db);
  const snapshot = await openSnapshot(db, { dataDir: loadConfig().dataDir, command: `svc ${command}` });
  const copy = openDatabase(snapshot.connection, { poolSize: 2, onIdleError: () => {} });
  try {
    return await work(copy);
  } finally {
    await copy.close();
    await snapshot.close();
  }
}

/** The person who runs a command, as records name them. */
export function operatorOf(config: Config): Operator {
  return { via: { kind: "command_line" }, name: config.operator };
}

export type OpenedDatabase = {
  db: Database;
  connection: Connection;
  embedded: boolean;
  /** Whether it is the embedded database of another process, whose requests wait for every transaction. */
  sharesSession: boolean;
  close(): Promise<void>;
};

export async function connect(
  config: Config,
  options: {
    command: string;
    mode: "own" | "share";
    onEmbeddedFailure?: (error: Error) => void;
    /** Called when all that is left is to wait for the database. */
    onOpening?: () => void;
    /** How long to wait for a server that cannot be connected to, and where to report it. */
    wait?: Wait;
  },
): Promise<OpenedDatabase> {
  const embedded: EmbeddedDatabase | undefined =
    config.databaseUrl === null
      ? await openEmbeddedDatabase({
          dataDir: config.dataDir,
          mode: options.mode,
          command: `svc ${options.command}`,
          onFailure: options.onEmbeddedFailure,
          onOpening: options.onOpening,
        })
      : undefined;
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? "" };
  // The next query on a lost connection fails; a command has nothing to add.
  const db = openDatabase(connection, { poolSize: config.databasePoolSize, onIdleError: () => {} });
  if (config.databaseUrl !== null) {
    options.onOpening?.();
    await checkConnection(db, config.databaseUrl, options.wait);
  }
  return {
    db,
    connection,
    embedded: embedded !== undefined,
    sharesSession: embedded?.owned === false,
    async close() {
      await db.close();
      await embedded?.close();
    },
  };
}

export type Wait = { seconds: number; onWait: (reason: string) => void };

/** Reports a database that cannot be used. The URL may contain a password, so only host and path are printed. */
async function checkConnection(db: Database, databaseUrl: string, wait?: Wait): Promise<void> {
  const { host, pathname } = new URL(databaseUrl);
  try {
    await (wait === undefined ? tryDatabase(db) : waitForDatabase(db, wait));
  } catch (error) {
    await db.close();
    throw new Error(`cannot use the database of DATABASE_URL (${host}${pathname}): ${databaseMessage(error)}`);
  }
}

const firstDelayMs = 100;
const longestDelayMs = 2_000;

/** Tries again with growing delays, unless the server refuses the user, password or database. */
async function waitForDatabase(db: Database, { seconds, onWait }: Wait): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      return await tryDatabase(db);
    } catch (error) {
      if (isRefused(error) || performance.now() + delayMs > deadline) throw error;
      if (delayMs === firstDelayMs) onWait(`${databaseMessage(error)}; trying for ${seconds} s`);
    }
    await sleep(delayMs);
  }
}

async function tryDatabase(db: Database): Promise<void> {
  await db.query(sql`select 1`);
}

/** Invalid authorization, or no such database. */
function isRefused(error: unknown): boolean {
  return /^(28|3D)/.test(sqlState(error) ?? "");
}
