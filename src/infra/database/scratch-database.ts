import { randomBytes } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { databaseMessage, insufficientPrivilege, isReadOnly } from "./database-errors.js";
import { type Connection, type Database, sqlState } from "./db.js";

export type ScratchDatabase = { create(): Promise<Connection>; drop(): Promise<void> };

/** The time at which it was created is part of the name, because PostgreSQL does not keep it. */
const namePattern = "^svc_verify_([0-9]{10})_[0-9a-f]{8}$";

/** Whoever creates one has connections to it until it is dropped, except for moments. */
const abandonedAfterSeconds = 3_600;

/** An empty database on the server that `db` is connected to. Creating it also drops those that killed commands left behind. */
export function scratchDatabaseOnServerOf(db: Database, databaseUrl: string): ScratchDatabase {
  let creation: Promise<string> | undefined;
  return {
    async create() {
      await dropAbandoned(db);
      creation = create(db);
      const url = new URL(databaseUrl);
      url.pathname = `/${await creation}`;
      return { connectionString: url.href };
    },
    async drop() {
      const name = await creation?.catch(() => undefined);
      if (name === undefined) return;
      await db.query(raw(`drop database if exists ${name} with (force)`)).catch((error: unknown) => {
        const later = "a later svc backup --verify drops it when it is an hour old";
        throw new Error(`cannot drop the scratch database ${name}: ${databaseMessage(error)}; ${later}`);
      });
    },
  };
}

/** With the encoding and locale of the original: those of the server may be others. */
async function create(db: Database): Promise<string> {
  const [original] = await db.query<{ options: string; name: string }>(sql`
    select format('encoding %L lc_collate %L lc_ctype %L', pg_encoding_to_char(d.encoding), d.datcollate, d.datctype)
        || case d.datlocprovider
          when 'i' then format(' locale_provider icu icu_locale %L', locale)
          when 'b' then format(' locale_provider builtin builtin_locale %L', locale)
          else ' locale_provider libc' end as options,
      format('svc_verify_%s_', floor(extract(epoch from now()))) as name
    from pg_database d,
      coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') locale
    where d.datname = current_database()`);
  const name = `${original?.name}${randomBytes(4).toString("hex")}`;
  try {
    await db.query(raw(`create database ${name} template template0 ${original?.options}`));
  } catch (error) {
    throw new Error(`cannot create a scratch database: ${reasonOf(error)}`, { cause: error });
  }
  return name;
}

function reasonOf(error: unknown): string {
  if (sqlState(error) === insufficientPrivilege) {
    return "the role of DATABASE_URL may not create databases; run ALTER ROLE … CREATEDB as an administrator";
  }
  if (isReadOnly(error)) return "the server is read-only; use one that is not";
  return databaseMessage(error);
}

/** One that is in use, or belongs to another role, stays. */
async function dropAbandoned(db: Database): Promise<void> {
  const abandoned = await db.query<{ name: string }>(sql`
    select datname as name from pg_database
    where substring(datname from ${namePattern})::float8 < extract(epoch from now()) - ${abandonedAfterSeconds}::float8`);
  for (const { name } of abandoned) await db.query(raw(`drop database if exists ${name}`)).catch(() => undefined);
}
