import { randomBytes } from "node:crypto";
import sql, { raw, Sql } from "sql-template-tag";
import type { Queryable, Session } from "../infra/database/db.js";

const abandonedAfterMs = 24 * 3600 * 1000;

/**
 * The temporary tables of one import. The SQL of this folder calls them `staged_…` and `planned_…`; here the number of the
 * import is added, because all connections to the embedded database share one session and so see each other's.
 */
export type ImportTables = {
  on(target: Queryable): Queryable;
  drop(target: Queryable, kind?: "planned"): Promise<void>;
};

export function createImportTables(now = Date.now()): ImportTables {
  const number = `${now.toString(36)}${randomBytes(3).toString("hex")}`;
  const addNumber = (text: string) => text.replace(/\b(staged|planned)_/g, `$&${number}_`);
  return {
    on: (target) => ({
      query: (statement, name) => target.query(new Sql(statement.strings.map(addNumber), statement.values), name),
    }),
    drop: (target, kind) =>
      dropTables(target, (table) => table.number === number && (kind === undefined || table.kind === kind)),
  };
}

/** Tables of imports that were killed; only the embedded database keeps them, until its process ends. */
export async function dropAbandonedTables(target: Queryable, now = Date.now()): Promise<void> {
  await dropTables(target, ({ number }) => Number.parseInt(number.slice(0, -6), 36) < now - abandonedAfterMs);
}

async function dropTables(
  target: Queryable,
  isWanted: (table: { kind: string; number: string }) => boolean,
): Promise<void> {
  const tables = await target.query<{ name: string; kind: string; number: string }>(sql`
    select relname as name, split_part(relname, '_', 1) as kind, split_part(relname, '_', 2) as number
    from pg_class
    where relnamespace = pg_my_temp_schema() and relkind = 'r' and relname ~ '^(staged|planned)_[0-9a-z]{14}_'`);
  const names = tables.filter(isWanted).map(({ name }) => name);
  if (names.length > 0) await target.query(raw(`drop table if exists ${names.join(", ")}`));
}

/** Runs each statement in a transaction of its own, so that nobody waits for more than one, with settings for large sets. */
export function statementByStatement(session: Session): Queryable {
  return {
    query: (statement) =>
      session.transaction(async (tx) => {
        await useLargeSets(tx);
        return tx.query(statement);
      }),
  };
}

/** Runs all statements of the work on one state of the database. */
export function onOneState<Result>(session: Session, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return session.transaction(
    async (tx) => {
      await useLargeSets(tx);
      return work(tx);
    },
    { mode: "repeatable read" },
  );
}

export async function useLargeSets(tx: Queryable): Promise<void> {
  await tx.query(raw("set local work_mem = '64MB'; set local jit = off"));
}
