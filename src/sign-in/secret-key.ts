import { hkdfSync } from "node:crypto";
import sql from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import { randomToken } from "../infra/ids.js";

/** What a key is derived for. A key for one purpose says nothing about the others. */
export type KeyPurpose =
  | "session tokens"
  | "door sessions"
  | "OpenID Connect state"
  | "guest codes"
  | "poster previews";

export type DeriveKey = (purpose: KeyPurpose) => Promise<Buffer>;

/**
 * Derives 32 bytes per purpose from SECRET_KEY, or from a secret that the first process to need it stores in the database.
 * The database is read once; a failure is not remembered.
 */
export function keyDeriver(configured: string | null, db: Queryable): DeriveKey {
  let secret: Promise<string> | undefined;
  return async (purpose) => {
    secret ??= configured === null ? readGeneratedSecret(db) : Promise.resolve(configured);
    try {
      return Buffer.from(hkdfSync("sha256", await secret, "svc", purpose, 32));
    } catch (error) {
      secret = undefined;
      throw error;
    }
  };
}

const secretName = "secret_key";

async function readGeneratedSecret(db: Queryable): Promise<string> {
  // Read first: people stay signed in while the database is read-only.
  const secret = (await findSecret(db)) ?? (await createSecret(db));
  if (secret === undefined) throw new Error("service_secrets has no secret_key");
  return secret;
}

/** One process inserts; the others, also those that start at the same moment, read what it inserted. */
async function createSecret(db: Queryable): Promise<string | undefined> {
  await db.query(sql`
    insert into service_secrets (name, value) values (${secretName}, ${randomToken()}) on conflict (name) do nothing`);
  return findSecret(db);
}

async function findSecret(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>(sql`select value from service_secrets where name = ${secretName}`);
  return row?.value;
}
