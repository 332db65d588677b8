import { createHash } from "node:crypto";
import type { Adapter, AdapterPayload } from "oidc-provider";
import sql from "sql-template-tag";
import { activeApps } from "../access/connected-apps.js";
import type { Database, Queryable } from "../infra/database/db.js";

/** How long a refresh token is accepted once more after it was used: its response may have been lost. */
export const refreshGraceSeconds = 30;

export type ObjectStore = {
  db: Database;
  /** The URL that tokens are for. */
  resource: string;
  /** Ends a connected app, with a record. */
  endApp(appId: string): Promise<void>;
  /** Refuses what was used by another process just now. */
  alreadyUsed(): Error;
};

const hashOf = (id: string) => createHash("sha256").update(id).digest();

/** What the authorization server keeps, by kind: in one table, under hashes of the ids. */
export function objectStore(store: ObjectStore): (kind: string) => Adapter {
  return (kind) => {
    if (kind === "Session") return noSessions;
    return kind === "Grant" ? grants(store) : objects(store, kind);
  };
}

/** Who is signed in is known from the console's session: the authorization server has none of its own. */
const noSessions: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** A grant is a connected app: the consent page makes it, and it works while its person is a member. */
function grants({ db, resource, endApp }: ObjectStore): Adapter {
  return {
    ...noSessions,
    async find(id) {
      const [app] = await db.query<{ user_id: string; client_id: string; scopes: string[]; connected: number }>(sql`
        select user_id, client_id, scopes, extract(epoch from connected_at)::int as connected
        from ${activeApps} a where id = ${id}`);
      if (app === undefined) return undefined;
      return {
        kind: "Grant",
        jti: id,
        iat: app.connected,
        accountId: app.user_id,
        clientId: app.client_id,
        resources: { [resource]: app.scopes.join(" ") },
      } as AdapterPayload;
    },
    destroy: endApp,
  };
}

type ObjectRow = { payload: AdapterPayload; is_used: boolean };

function objects({ db, alreadyUsed }: ObjectStore, kind: string): Adapter {
  const grace = kind === "RefreshToken" ? refreshGraceSeconds : 0;
  const isUsed = sql`coalesce(consumed_at <= now() - ${grace}::int * interval '1 second', false)`;
  return {
    ...noSessions,
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      await db.changes.query(sql`
        insert into oauth_objects (kind, id_hash, app_id, payload, expires_at)
        values (
          ${kind}, ${hashOf(id)}, ${payload.grantId ?? null}, ${JSON.stringify(payload)},
          now() + ${expiresIn ?? null}::int * interval '1 second')
        on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
    },
    async find(id) {
      const [row] = await db.query<ObjectRow>(sql`
        select payload, ${isUsed} as is_used from oauth_objects
        where kind = ${kind} and id_hash = ${hashOf(id)} and (expires_at is null or expires_at > now())
          and (app_id is null or app_id in (select id from connected_apps where ended_at is null))`);
      if (row === undefined) return undefined;
      return { ...row.payload, ...(kind === "Client" ? {} : { jti: id }), ...(row.is_used ? { consumed: true } : {}) };
    },
    /** Of several processes that use a code at once, one succeeds. A refresh token may be used again for a moment. */
    async consume(id) {
      const rows = await db.changes.query(sql`
        update oauth_objects set consumed_at = coalesce(consumed_at, now())
        where kind = ${kind} and id_hash = ${hashOf(id)}
          and not ${isUsed}
        returning kind`);
      if (rows.length === 0) throw alreadyUsed();
    },
    async destroy(id) {
      await db.changes.query(sql`delete from oauth_objects where kind = ${kind} and id_hash = ${hashOf(id)}`);
    },
    async revokeByGrantId(appId) {
      await db.changes.query(sql`delete from oauth_objects where kind = ${kind} and app_id = ${appId}`);
    },
  };
}

/** How long a registration is kept that nobody has connected. */
const unusedDays = 90;

/** The most registrations without a connection that are kept: the newest. */
const mostUnused = 10_000;

/** Deletes what has expired, and registrations that nobody uses. */
export async function pruneObjects(db: Queryable): Promise<void> {
  await db.query(sql`delete from oauth_objects where expires_at < now()`);
  await db.query(sql`
    delete from oauth_objects o using (
      select id_hash, created_at < now() - ${unusedDays}::int * interval '1 day' as is_old,
        row_number() over (order by created_at desc) as place
      from oauth_objects unused
      where kind = 'Client' and not exists (
        select from connected_apps a where a.client_id = unused.payload ->> 'client_id' and a.ended_at is null)) unused
    where o.kind = 'Client' and o.id_hash = unused.id_hash and (unused.is_old or unused.place > ${mostUnused}::int)`);
}
