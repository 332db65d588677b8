import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw } from "sql-template-tag";
import { projectRoot } from "../project-root.js";
import { type Database, type Queryable, sqlState } from "./db.js";

export type MigrateOptions = {
  directory?: URL;
  /** Applies only migrations with these names. */
  only?: Set<string>;
  /** Called with the compatible migrations of a newer version, if the database has any. */
  onNewerSchema?: (names: string[]) => void;
  /** How long a migration, and everybody behind it, waits for a lock before it tries again later. */
  lockTimeoutMs?: number;
  /** How long to try before giving up. */
  lockDeadlineMs?: number;
};

const migrationsDir = new URL("migrations/", projectRoot);

/** The first line of a migration beside which older versions of the service can run. */
const compatibleMark = "-- compatible with: older versions";

/** An arbitrary number that nothing else in the database locks. */
const advisoryLockKey = 5_730_001;

const longestPauseMs = 10_000;

/**
 * Applies pending migrations and returns their names. Each runs in a transaction of its own under an advisory lock, so
 * that concurrent processes wait and then find nothing to apply, and no table stays locked for longer than one migration.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options.directory);
  const done: string[] = [];
  for (;;) {
    const { applied, newer } = await withLockRetries(options, (lockTimeoutMs) =>
      db.transaction((tx) => applyNext(tx, files, lockTimeoutMs, options.only)),
    );
    if (applied !== undefined) {
      done.push(applied);
      continue;
    }
    if (newer.length > 0) options.onNewerSchema?.(newer);
    return done;
  }
}

/** One line about migrations of a newer version, for the log or the terminal. */
export function newerSchemaNotice(names: string[]): string {
  return `the database has ${names.join(", ")} of a newer version, compatible with this one`;
}

type Migration = { name: string; text: string; checksum: string; compatible: boolean };
export type AppliedMigration = Omit<Migration, "text">;

/** Applies the first pending migration; `newer` lists the applied ones that this version does not know. */
async function applyNext(
  tx: Queryable,
  files: Migration[],
  lockTimeoutMs: number,
  only: Set<string> | undefined,
): Promise<{ applied: string | undefined; newer: string[] }> {
  // Waiting for another process that migrates, and a long migration, are not limited.
  await tx.query(raw("set local lock_timeout = 0; set local statement_timeout = 0"));
  await tx.query(sql`select pg_advisory_xact_lock(${advisoryLockKey})`);
  await createMigrationsTable(tx);
  const applied = await readAppliedMigrations(tx);
  const newer = checkAppliedMigrations(files, applied);
  const names = new Set(applied.map(({ name }) => name));
  const next = files.find(({ name }) => !names.has(name) && (only === undefined || only.has(name)));
  if (next === undefined) return { applied: undefined, newer };
  await tx.query(raw(`set local lock_timeout = ${lockTimeoutMs}`));
  await tx.query(raw(next.text));
  await tx.query(sql`
    insert into schema_migrations (name, checksum, compatible)
    values (${next.name}, ${next.checksum}, ${next.compatible})`);
  return { applied: next.name, newer };
}

async function createMigrationsTable(tx: Queryable): Promise<void> {
  const [table] = await tx.query<{ complete: boolean }>(sql`
    select exists (
      select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'compatible') as complete`);
  if (table?.complete) return;
  await tx.query(
    raw(`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now());
      alter table schema_migrations add column if not exists compatible boolean not null default false`),
  );
}

export function readAppliedMigrations(tx: Queryable): Promise<AppliedMigration[]> {
  // A version that does not mark migrations has created the table without the column.
  return tx.query<AppliedMigration>(sql`
    select name, checksum, coalesce((to_jsonb(m) ->> 'compatible')::boolean, false) as compatible
    from schema_migrations m order by name`);
}

/** The migrations of this version, in order. */
export async function migrationNames(directory: URL = migrationsDir): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
}

export async function readMigrations(directory: URL = migrationsDir): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(directory)).map(async (name) => {
      const text = await readFile(new URL(name, directory), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      return { name, text, checksum, compatible: text.split("\n", 1)[0]?.trim() === compatibleMark };
    }),
  );
}

/** The migrations of this version that the database does not have. */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  );
  const applied = new Set(table?.exists ? (await readAppliedMigrations(db)).map(({ name }) => name) : []);
  return (await migrationNames()).filter((name) => !applied.has(name));
}

/** Returns the compatible migrations that this version does not know; throws for any other difference. */
export function checkAppliedMigrations(files: Migration[], applied: AppliedMigration[]): string[] {
  const known = new Map(files.map((file) => [file.name, file.checksum]));
  const newer: string[] = [];
  for (const { name, checksum, compatible } of applied) {
    if (!known.has(name)) {
      if (!compatible) {
        throw new Error(`the database has migration ${name}, which is unknown to this version: run a newer version`);
      }
      newer.push(name);
    } else if (known.get(name) !== checksum) {
      throw new Error(`migration ${name} was edited after it was applied: restore the file`);
    }
  }
  return newer;
}

/** Requests queue behind a lock that is waited for: waits briefly, then lets them through before the next attempt. */
async function withLockRetries<Result>(
  { lockTimeoutMs = 1000, lockDeadlineMs = 600_000 }: MigrateOptions,
  attempt: (lockTimeoutMs: number) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + lockDeadlineMs;
  for (let pauseMs = lockTimeoutMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt(lockTimeoutMs);
    } catch (error) {
      if (sqlState(error) !== "55P03") throw error;
      if (Date.now() + pauseMs > deadline) {
        throw new Error(
          "a migration could not lock its tables, because long transactions use them: end those (see pg_stat_activity), then run svc migrate",
        );
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}
