import type { OrganizationCaller } from "../../src/access/caller.js";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { randomToken } from "../../src/infra/ids.js";
import { tokenPrefix } from "../../src/infra/secrets.js";
import { rowsOf } from "./dataset-queries.js";

export type KeyedCaller = OrganizationCaller & { via: { kind: "key" } };

type KeyRow = { id: string; name: string } & Pick<OrganizationCaller, "scopes" | "role"> & {
    organization_id: string;
    created_by: string;
  };

/** Who the service takes the owner of an organization's key for. */
export async function findOrganizationCaller(databaseUrl: string, key: string): Promise<KeyedCaller> {
  const [row] = await rowsOf<KeyRow>(
    databaseUrl,
    `select k.id, k.name, k.organization_id, k.created_by, k.scopes, m.role
     from api_keys k join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
     where k.key_hash = sha256($1::bytea)`,
    [Buffer.from(key)],
  );
  if (row === undefined) throw new Error("expected the key of an organization");
  return {
    tier: "organization",
    via: { kind: "key", keyId: row.id, keyName: row.name, expiresAt: null, lastUsedAt: null },
    userId: row.created_by,
    organizationId: row.organization_id,
    scopes: row.scopes,
    role: row.role,
  };
}

/** Connects an app as the user of an organization's key, with the key's scopes; returns a token of it. */
export async function connectApp(databaseUrl: string, key: string): Promise<string> {
  const { organizationId, userId, scopes } = await findOrganizationCaller(databaseUrl, key);
  const token = `${tokenPrefix}${randomToken()}`;
  await rowsOf(
    databaseUrl,
    `with app as (
       insert into connected_apps (user_id, organization_id, client_id, name, scopes)
       values ($1, $2, $3, 'Benchmark', $4) returning id)
     insert into oauth_objects (kind, id_hash, app_id, payload, expires_at)
     select 'AccessToken', sha256(convert_to($3, 'UTF8')), id, jsonb_build_object('scope', array_to_string($4::text[], ' ')),
       now() + interval '1 day' from app`,
    [userId, organizationId, token, scopes],
  );
  return token;
}

/** Runs the service's own code on a database, to find out what the service does. */
export async function withDatabase<Result>(
  databaseUrl: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ connectionString: databaseUrl }, { poolSize: 1, onIdleError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
