import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { messageOf } from "../../contract/errors.js";
import type { Config } from "../config.js";
import { connectionsPerProcess } from "../infra/database/database-limits.js";
import { type Database, type Queryable, sqlState } from "../infra/database/db.js";
import { foreignDatabase, isForeign } from "../infra/database/foreign-database.js";
import {
  checkAppliedMigrations,
  findAppliedMigrations,
  newerSchemaNotice,
  pendingMigrations,
  readMigrations,
} from "../infra/database/migrate.js";
import { remedyForTables } from "../infra/database/table-privilege.js";
import { serviceVersion } from "../infra/version.js";
import { type DatabaseCheck, type Finding, ok, problem, reasonOf, warning } from "./doctor-findings.js";

const oldestServer = 150_000;
const largestClockDifferenceMs = 2_000;
const leastFreeBytes = 1_000_000_000;
const poolingAttempts = 10;

/** What is examined in an open database, whatever its schema. */
export const databaseChecks: DatabaseCheck[] = [
  {
    name: "versions",
    finds: "a PostgreSQL that is too old",
    variables: [],
    async run({ db }) {
      const [row] = await db.lookups.query<{ number: number; version: string }>(sql`
        select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
      const versions = `svc ${serviceVersion}, Node ${process.versions.node}, PostgreSQL ${row?.version}`;
      if ((row?.number ?? 0) >= oldestServer) return ok(versions);
      return problem(versions, "upgrade PostgreSQL: 15 is the oldest supported version");
    },
  },
  {
    name: "writable",
    finds: "a standby, or a database that is set to read-only",
    variables: [],
    run: ({ db }) => checkWritable(db),
  },
  {
    name: "connections",
    finds: "more connections than the server, database or role allows",
    variables: ["DATABASE_POOL_SIZE", "WORKERS"],
    run: ({ config, db }) => checkConnections(config, db),
  },
  {
    name: "pooling",
    finds: "a pooler such as PgBouncer that does not pool sessions",
    variables: [],
    run: ({ config, db }) => checkPooling(config, db),
  },
  {
    name: "schema",
    finds: "migrations that are missing, changed, of a newer version, or of another program",
    variables: [],
    run: ({ db }) => checkSchema(db),
  },
  {
    name: "clock",
    finds: "a clock that differs from the server's",
    variables: [],
    async run({ db }) {
      const sentAt = Date.now();
      const [row] = await db.lookups.query<{ at: number }>(
        sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
      );
      const difference = Math.abs((row?.at ?? 0) - (sentAt + Date.now()) / 2);
      const finding = `the database's clock differs by ${(difference / 1000).toFixed(1)} s`;
      if (difference < largestClockDifferenceMs) return ok(finding);
      return problem(finding, "synchronize the clocks of both machines, with NTP");
    },
  },
  {
    name: "disk",
    finds: "little space for the embedded database",
    variables: ["DATA_DIR"],
    async run({ config, db }) {
      const [row] = await db.lookups.query<{ size: string }>(
        sql`select pg_size_pretty(pg_database_size(current_database())) as size`,
      );
      if (config.databaseUrl !== null) return ok(`the database takes ${row?.size}; watch the disk of its server`);
      const { bavail, bsize } = await statfs(config.dataDir);
      const free = bavail * bsize;
      const finding = `the database takes ${row?.size}; ${Math.round(free / 1e6)} MB are free in ${config.dataDir}`;
      return free >= leastFreeBytes
        ? ok(finding)
        : problem(finding, "free disk space, or move DATA_DIR to a larger disk");
    },
  },
];

/** How to undo the setting, by where it comes from. A transaction that changes it has to allow changes first. */
const waysBack: Record<string, (names: { role: string; database: string }) => string> = {
  database: ({ database }) => `run: begin read write; alter database ${database} ${resetIt}; commit`,
  user: ({ role }) => `run: begin read write; alter role ${role} ${resetIt}; commit`,
  "database user": ({ role, database }) =>
    `run: begin read write; alter role ${role} in database ${database} ${resetIt}; commit`,
  "configuration file": () =>
    `run: alter system ${resetIt}, or remove it from postgresql.conf; then run: select pg_reload_conf()`,
};

const resetIt = "reset default_transaction_read_only";

async function checkWritable(db: Database): Promise<Finding> {
  // On a connection for changes: on those for reading the service itself refuses them.
  const [row] = await db.changes.query<{
    standby: boolean;
    readonly: boolean;
    source: string;
    role: string;
    name: string;
  }>(
    sql`
      select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as readonly,
        (select source from pg_settings where name = 'default_transaction_read_only') as source,
        quote_ident(current_user) as role, quote_ident(current_database()) as name`,
  );
  const effect = "reads are served, and changes are refused with 503";
  if (row?.standby)
    return problem(
      `the server is a standby: ${effect}`,
      "point DATABASE_URL to the primary, or make this server the primary, run: select pg_promote()",
    );
  if (!row?.readonly) return ok("the database takes changes");
  return problem(
    `default_transaction_read_only is on (${row.source}): ${effect}`,
    waysBack[row.source]?.({ role: row.role, database: row.name }) ??
      "remove default_transaction_read_only from the options of DATABASE_URL",
  );
}

async function checkConnections({ databaseUrl, databasePoolSize, workers }: Config, db: Database): Promise<Finding> {
  if (databaseUrl === null) return ok("the embedded database has no limit");
  const perProcess = connectionsPerProcess(databasePoolSize);
  const needed = workers * perProcess;
  const [row] = await db.lookups.query<{ server: number; role: number | null; database: number | null }>(sql`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as server,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user and not rolsuper) as role,
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()) as database`);
  const { server = 0, role = null, database = null } = row ?? {};
  const allowed = Math.min(...[server, role, database].filter((limit) => limit !== null));
  const finding = `${workers} × ${perProcess} = ${needed} connections at most; the server allows ${allowed}`;
  const ways = (wanted: number) => {
    const largestPool = Math.floor(allowed / (wanted / perProcess)) - connectionsPerProcess(0);
    const fewer = largestPool > 0 ? `DATABASE_POOL_SIZE to at most ${largestPool}` : "WORKERS";
    return `lower ${fewer}, or raise ${limitName({ server, role, database }, allowed)} by at least ${wanted - allowed}`;
  };
  if (needed > allowed) return problem(finding, ways(needed));
  const upgrade = 2 * needed;
  if (upgrade <= allowed) return ok(finding);
  return warning(`${finding}, too few for old and new processes at the same time in an upgrade`, ways(upgrade));
}

function limitName(limits: { server: number; role: number | null; database: number | null }, allowed: number): string {
  if (limits.server === allowed) return "max_connections of the server";
  return limits.role === allowed ? "the connection limit of the role" : "the connection limit of the database";
}

/**
 * Whether two sessions get a server's connection of their own each, for as long as they last: the first must not find
 * itself elsewhere, nor the second on the connection of the first.
 */
async function checkPooling({ databaseUrl }: Config, db: Database): Promise<Finding> {
  const fine = ok("every session has a connection of its own");
  if (databaseUrl === null) return fine;
  const isShared = await db
    .session(async (first) => {
      const before = await backendOf(first);
      return db.session(async (second) => {
        // A pooler gives the connection of the first to the second only if nobody else is using it at that moment.
        for (let attempt = 0; attempt < poolingAttempts; attempt++) {
          const isElsewhere = async (tx: Queryable) =>
            (await backendOf(tx)) === before || (await backendOf(first)) !== before;
          if (await second.transaction(isElsewhere, { mode: "read only" })) return true;
          await sleep(20);
        }
        return false;
      });
    })
    .catch((error: unknown) => {
      // The text of PgBouncer with pool_mode = statement.
      if (reasonOf(error).includes("statement pooling")) return true;
      throw error;
    });
  if (!isShared) return fine;
  return problem(
    "sessions share connections to the server: a pooler such as PgBouncer does not pool sessions, which breaks prepared statements, live updates and migrations",
    "set pool_mode = session for this database in pgbouncer.ini, or connect to PostgreSQL directly",
  );
}

async function backendOf(session: Queryable): Promise<number | undefined> {
  const [row] = await session.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row?.pid;
}

async function checkSchema(db: Database): Promise<Finding> {
  let newer: string[];
  try {
    newer = checkAppliedMigrations(await readMigrations(), await findAppliedMigrations(db.lookups));
  } catch (error) {
    if (sqlState(error) !== undefined) throw error;
    if (isForeign(error)) return problem(foreignDatabase, "correct DATABASE_URL");
    return problem(messageOf(error), "run the version of the service that made this schema, or a later one");
  }
  const pending = await pendingMigrations(db.lookups);
  if (pending.length > 0) {
    const more = pending.length > 3 ? ` and ${pending.length - 3} more` : "";
    const finding = `${pending.slice(0, 3).join(", ")}${more} not applied`;
    const remedy = await remedyForTables(db.lookups);
    return problem(finding, remedy ?? "run svc migrate, or start the service, which migrates");
  }
  if (newer.length === 0) return ok("every migration is applied");
  return warning(newerSchemaNotice(newer), `finish the upgrade: this is still version ${serviceVersion}`);
}
