import { statfs } from "node:fs/promises";
import { Redis } from "ioredis";
import sql from "sql-template-tag";
import { keysWithState } from "../access/api-key.js";
import type { Config } from "../config.js";
import { countImageProblems } from "../modules/images/unused.js";
import type { Database } from "../platform/database/db.js";
import {
  checkAppliedMigrations,
  newerSchemaNotice,
  pendingMigrations,
  readAppliedMigrations,
  readMigrations,
} from "../platform/database/migrate.js";
import { messageOf } from "../platform/errors.js";
import { serviceVersion } from "../platform/version.js";
import { countUnfinishedWrites } from "../tools/history.js";
import { counted } from "./output.js";

export type Finding = { state: "ok" | "warning" | "problem"; finding: string; remedy?: string };

type DatabaseCheck = (examined: { config: Config; db: Database }) => Promise<Finding>;
type ConfigCheck = (examined: { config: Config }) => Promise<Finding>;

/** The checks that read tables; they run only if the schema is the one that this version expects. */
export const needSchema = new Set(["unfinished writes", "keys", "images"]);

const ok = (finding: string): Finding => ({ state: "ok", finding });
const warning = (finding: string, remedy: string): Finding => ({ state: "warning", finding, remedy });
const problem = (finding: string, remedy: string): Finding => ({ state: "problem", finding, remedy });

const oldestServer = 150_000;
const largestClockDifferenceMs = 2_000;
const leastFreeBytes = 1_000_000_000;
const expiringDays = 14;
const connectMs = 5_000;

/** What is examined even if the database cannot be opened, in the order of the output. */
export const configChecks: Record<string, ConfigCheck> = {
  async address({ config }) {
    if (!config.publicUrlIsGuessed) return ok(`links begin with ${config.publicUrl}`);
    return warning(
      `PUBLIC_URL is not set: links begin with ${config.publicUrl}`,
      "set PUBLIC_URL to the address that others use",
    );
  },

  async redis({ config }) {
    if (config.redisUrl === null) {
      const embedded = config.databaseUrl === null;
      const finding = "rate limits are counted in memory, for this process only";
      if (config.workers > 1) return problem(finding, `set REDIS_URL: ${config.workers} workers need it`);
      return embedded ? ok(finding) : warning(finding, "set REDIS_URL if several processes serve");
    }
    const redis = new Redis(config.redisUrl, {
      lazyConnect: true,
      connectTimeout: connectMs,
      retryStrategy: () => null,
    });
    let reason = "";
    redis.on("error", (error) => {
      reason = messageOf(error);
    });
    try {
      await redis.connect();
      await redis.ping();
      return ok("Redis responds");
    } catch (error) {
      return problem(
        `Redis does not respond: ${reason || messageOf(error)}`,
        "check REDIS_URL; limits count in memory meanwhile",
      );
    } finally {
      redis.disconnect();
    }
  },

  async ticketing({ config }) {
    if (config.ticketing === null) {
      if (config.databaseUrl === null) return ok("no platform is configured: the service starts its sandbox");
      return warning(
        "no platform is configured: the ticketing proxy responds with 503",
        "set TICKETING_URL and TICKETING_API_KEY, unless ticketing is not used",
      );
    }
    const { host } = new URL(config.ticketing.url);
    try {
      // Any response shows that it can be reached; nothing is sent that needs the key.
      await fetch(config.ticketing.url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(connectMs) });
      return ok(`${host} responds`);
    } catch (error) {
      const reason = messageOf((error as Error).cause ?? error);
      return problem(`${host} does not respond: ${reason}`, "check TICKETING_URL and the network");
    }
  },
};

/** What is examined in an open database, in the order of the output. */
export const databaseChecks: Record<string, DatabaseCheck> = {
  async versions({ db }) {
    const [row] = await db.query<{ number: number; version: string }>(sql`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
    const versions = `svc ${serviceVersion}, Node ${process.versions.node}, PostgreSQL ${row?.version}`;
    if ((row?.number ?? 0) >= oldestServer) return ok(versions);
    return problem(versions, "upgrade PostgreSQL: 15 is the oldest supported version");
  },

  async schema({ db }) {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) {
      return problem(`${pending.join(", ")} not applied`, "run svc migrate, or start the service, which migrates");
    }
    try {
      const newer = checkAppliedMigrations(await readMigrations(), await readAppliedMigrations(db));
      return ok(newer.length === 0 ? "every migration is applied" : newerSchemaNotice(newer));
    } catch (error) {
      return problem(messageOf(error), "run the version of svc that made this schema, or a later one");
    }
  },

  async clock({ db }) {
    const sentAt = Date.now();
    const [row] = await db.query<{ at: number }>(
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    );
    const difference = Math.abs((row?.at ?? 0) - (sentAt + Date.now()) / 2);
    const seconds = `${(difference / 1000).toFixed(1)} s`;
    if (difference < largestClockDifferenceMs) return ok(`the database's clock differs by ${seconds}`);
    return problem(`the database's clock differs by ${seconds}`, "synchronize the clocks of both machines, with NTP");
  },

  async disk({ config, db }) {
    const [row] = await db.query<{ size: string }>(
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

  async "unfinished writes"({ db }) {
    const count = await countUnfinishedWrites(db);
    if (count === 0) return ok("every ticketing write has an outcome");
    return warning(
      `without an outcome: ${counted(count, "ticketing write")}`,
      "list them with svc audit --unfinished and check on the platform whether they were carried out",
    );
  },

  async keys({ db }) {
    const [row] = await db.query<{ names: string | null; count: number }>(sql`
      select string_agg(k.name, ', ' order by k.expires_at) as names, count(*)::int as count
      from ${keysWithState} k where k.state = 'active' and k.expires_at < now() + ${expiringDays}::int * interval '1 day'`);
    if ((row?.count ?? 0) === 0) return ok(`no key expires within ${expiringDays} days`);
    return warning(
      `within ${expiringDays} days ${row?.count === 1 ? "a key expires" : `${row?.count} keys expire`}: ${row?.names?.slice(0, 200)}`,
      "create a replacement with svc keys create and hand it to the user",
    );
  },

  async images({ db }) {
    const { unused, missing } = await countImageProblems(db);
    if (missing > 0)
      return problem(
        `references to images that are not stored: ${missing}`,
        "restore a backup that has them, or import the rows again with other images",
      );
    if (unused === 0) return ok("every stored image is used");
    return warning(
      `images that are stored but not used: ${unused}`,
      "they only take disk space: remove them with svc images prune",
    );
  },
};
