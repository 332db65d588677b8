import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw } from "sql-template-tag";
import { messageOf } from "../../../contract/errors.js";
import { projectRoot } from "../project-root.js";
import { insufficientPrivilege, lockNotAvailable, statementCanceled } from "./database-errors.js";
import { type Database, type Queryable, type Session, sqlState } from "./db.js";
import { failIfForeign } from "./foreign-database.js";
import { remedyForTables } from "./table-privilege.js";

export type MigrateOptions = {
  directory?: URL;
  /** Applies only migrations with these names. */
  only?: Set<string>;
  /** Called before migrations are applied, if the database lacks any. */
  onPending?: (names: string[]) => void;
  /** Called with the compatible migrations of a newer version, if the database has any. */
  onNewerSchema?: (names: string[]) => void;
  /** How long a migration, and everybody behind it, waits for a lock before it tries again later. */
  lockTimeoutMs?: number;
  /** How long to try before giving up. */
  lockDeadlineMs?: number;
  /** How long a compatible migration may take, with the locks that it holds while requests wait. */
  holdLimitMs?: number;
  /** Nobody waits for the database: compatible migrations may take as long as they need, too. */
  offline?: boolean;
};

const migrationsDir = new URL("migrations/", projectRoot);

/** The first line of a migration that older versions of the service can run with. */
const compatibleMark = "-- compatible with: older versions";

/** The second line of a migration that runs statement by statement. They are separated by empty lines. */
const steppedMark = "-- outside a transaction";

/** An arbitrary number that nothing else in the database locks. */
const advisoryLockKey = 5_730_001;

const longestPauseMs = 10_000;
const pauseWhileOthersMigrateMs = 200;

const defaultLockTimeoutMs = 1_000;
/** With the time to commit, no request waits for more than 2 s. */
const defaultHoldLimitMs = 1_500;

/** A migration that is slow only because the server is busy gets another chance. */
const attemptsWithinLimit = 3;

/**
 * Applies pending migrations and returns their names. Each runs in a transaction of its own under an advisory lock, so
 * that concurrent processes wait and then find nothing to apply, and no table stays locked for longer than one migration.
 * Those that build indexes of large tables or fill new ones run outside a transaction, under the same lock.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options.directory);
  const pending = options.onPending === undefined ? [] : await pendingMigrations(db, options.directory);
  if (pending.length > 0) options.onPending?.(pending);
  const done: string[] = [];
  for (;;) {
    const step = await withRetries(options, (onApply) =>
      db.transaction((tx) => applyNext(tx, files, options, onApply)),
    );
    if (step === "busy") {
      await sleep(pauseWhileOthersMigrateMs);
      continue;
    }
    const { stepped, newer } = step;
    const applied = step.applied ?? (stepped && (await applyByStatement(db, stepped)) ? stepped.name : undefined);
    if (applied !== undefined) done.push(applied);
    if (applied !== undefined || stepped !== undefined) continue;
    if (newer.length > 0) options.onNewerSchema?.(newer);
    return done;
  }
}

/**
 * For a command that only reads: throws unless the database has every migration of this version. Like `migrate`, it accepts
 * compatible migrations of a newer version.
 */
export async function requireMigrations(
  db: Queryable,
  options: Pick<MigrateOptions, "onNewerSchema"> = {},
): Promise<void> {
  const newer = checkAppliedMigrations(await readMigrations(), await findAppliedMigrations(db));
  const pending = await pendingMigrations(db);
  if (pending[0] === (await migrationNames())[0]) throw new Error("the database has no tables yet: run svc migrate");
  if (pending.length > 0) {
    throw new Error(
      `the database has an older schema, without ${pending.join(", ")}, and this command does not change it: run svc migrate`,
    );
  }
  if (newer.length > 0) options.onNewerSchema?.(newer);
}

/** One line about migrations of a newer version, for the log or the terminal. */
export function newerSchemaNotice(names: string[]): string {
  return `the database has ${names.join(", ")} of a newer version, compatible with this one`;
}

export type Migration = { name: string; text: string; checksum: string; compatible: boolean; stepped: boolean };
export type AppliedMigration = Omit<Migration, "text" | "stepped">;

type Step = {
  applied?: string;
  /** The first pending migration, if it cannot run in a transaction. */
  stepped?: Migration;
  /** The applied migrations that this version does not know. */
  newer: string[];
};

/** Applies the first pending migration, unless another process migrates. */
async function applyNext(
  tx: Queryable,
  files: Migration[],
  { only, lockTimeoutMs = defaultLockTimeoutMs, holdLimitMs = defaultHoldLimitMs, offline = false }: MigrateOptions,
  onApply: (name: string) => void,
): Promise<Step | "busy"> {
  await tx.query(raw("set local lock_timeout = 0; set local statement_timeout = 0"));
  // Not waited for in a statement: an index that another process builds concurrently would wait for that statement.
  const [lock] = await tx.query<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${advisoryLockKey}) as taken`);
  if (!lock?.taken) return "busy";
  await createMigrationsTable(tx);
  const applied = await readAppliedMigrations(tx);
  const newer = checkAppliedMigrations(files, applied);
  const names = new Set(applied.map(({ name }) => name));
  const next = files.find(({ name }) => !names.has(name) && (only === undefined || only.has(name)));
  if (next === undefined) return { newer };
  if (next.stepped) return { stepped: next, newer };
  onApply(next.name);
  await tx.query(raw(`set local lock_timeout = ${lockTimeoutMs}`));
  if (next.compatible && !offline) await applyWithin(tx, next.text, holdLimitMs);
  else await tx.query(raw(next.text));
  await noteApplied(tx, next);
  return { applied: next.name, newer };
}

/** Whether this process applied it, and not another one. It can be repeated after a failure. */
async function applyByStatement(db: Database, migration: Migration): Promise<boolean> {
  return db.session(async (session) => {
    await session.query(raw("set lock_timeout = 0; set statement_timeout = 0"));
    const [lock] = await session.query<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${advisoryLockKey}) as taken`,
    );
    if (!lock?.taken) return false;
    try {
      for (const statement of migration.text.trim().split(/\n\n+/)) {
        await dropUnfinishedIndex(session, statement);
        await session.query(raw(statement));
      }
      return await noteApplied(session, migration);
    } finally {
      await session.query(
        raw(`select pg_advisory_unlock(${advisoryLockKey}); reset lock_timeout; reset statement_timeout`),
      );
    }
  });
}

/** An index that was being built concurrently when something failed stays behind, invalid. */
async function dropUnfinishedIndex(session: Session, statement: string): Promise<void> {
  const name = /^create index concurrently if not exists (\w+)/m.exec(statement)?.[1];
  if (name === undefined) return;
  const unfinished = await session.query(
    sql`select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`,
  );
  if (unfinished.length > 0) await session.query(raw(`drop index concurrently if exists ${name}`));
}

async function noteApplied(tx: Queryable, { name, checksum, compatible }: Migration): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into schema_migrations (name, checksum, compatible) values (${name}, ${checksum}, ${compatible})
    on conflict do nothing returning name`);
  return rows.length > 0;
}

/** An older version serves requests meanwhile: as one statement, the whole migration is under the limit of a statement. */
async function applyWithin(tx: Queryable, text: string, limitMs: number): Promise<void> {
  const inner = quoteTag(text);
  const block = `begin execute ${inner}${text}${inner}; end`;
  const outer = quoteTag(block);
  await tx.query(raw(`set local statement_timeout = ${limitMs}`));
  await tx.query(raw(`do ${outer}${block}${outer}`));
  await tx.query(raw("set local statement_timeout = 0"));
}

/** A dollar quote that the text does not contain. */
function quoteTag(text: string): string {
  for (let number = 0; ; number++) {
    const tag = `$migration${number}$`;
    if (!text.includes(tag)) return tag;
  }
}

async function createMigrationsTable(tx: Queryable): Promise<void> {
  const [table] = await tx.query<{ complete: boolean }>(sql`
    select exists (
      select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'compatible') as complete`);
  if (table?.complete) return;
  const remedy = await remedyForTables(tx);
  const created = tx.query(
    raw(`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now());
      alter table schema_migrations add column if not exists compatible boolean not null default false`),
  );
  await created.catch((error: unknown) => {
    if (sqlState(error) !== insufficientPrivilege || remedy === undefined) throw error;
    throw new Error(`${messageOf(error)}: ${remedy}`, { cause: error });
  });
}

export function readAppliedMigrations(tx: Queryable): Promise<AppliedMigration[]> {
  // A version that does not mark migrations has created the table without the column.
  const applied = tx.query<AppliedMigration>(sql`
    select name, checksum, coalesce((to_jsonb(m) ->> 'compatible')::boolean, false) as compatible
    from schema_migrations m order by name`);
  return applied.catch(failIfForeign);
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
      const [first, second] = text.split("\n", 2).map((line) => line.trim());
      return { name, text, checksum, compatible: first === compatibleMark, stepped: second === steppedMark };
    }),
  );
}

/** The migrations of this version that the database does not have. */
export async function pendingMigrations(db: Queryable, directory?: URL): Promise<string[]> {
  const applied = new Set((await findAppliedMigrations(db)).map(({ name }) => name));
  return (await migrationNames(directory)).filter((name) => !applied.has(name));
}

/** None if the database has never been migrated. */
export async function findAppliedMigrations(db: Queryable): Promise<AppliedMigration[]> {
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  );
  return table?.exists ? readAppliedMigrations(db) : [];
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
async function withRetries<Result>(
  { lockTimeoutMs = defaultLockTimeoutMs, lockDeadlineMs = 600_000 }: MigrateOptions,
  attempt: (onApply: (name: string) => void) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + lockDeadlineMs;
  let timeouts = 0;
  for (let pauseMs = lockTimeoutMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    let migration = "";
    try {
      return await attempt((name) => {
        migration = name;
      });
    } catch (error) {
      const state = sqlState(error);
      if (state !== lockNotAvailable && state !== statementCanceled) throw error;
      if (state === statementCanceled) timeouts++;
      if (timeouts === attemptsWithinLimit) throw new Error(tooSlow(migration), { cause: error });
      if (performance.now() + pauseMs > deadline) throw new Error(notLocked(migration), { cause: error });
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

function tooSlow(migration: string): string {
  return `migration ${migration} was undone, because requests would have waited for it too long: run svc migrate --offline while the service is stopped or has little to do`;
}

function notLocked(migration: string): string {
  return `migration ${migration} could not lock its tables, because long transactions use them: end those (see pg_stat_activity), then run svc migrate`;
}
