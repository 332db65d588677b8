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
  /** Which connection of the app the current request is about, if that is known: each has tokens of its own. */
  connection(): string | undefined;
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
function grants({ db, resource, endApp, connection }: ObjectStore): Adapter {
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
    /** The app stays connected while it has tokens on another machine. */
    async destroy(id) {
      const [other] = await db.query(sql`
        select id_hash from oauth_objects
        where kind = 'RefreshToken' and app_id = ${id} and expires_at > now()
          and payload ->> 'sessionUid' <> ${connection() ?? null} limit 1`);
      if (other === undefined) await endApp(id);
    },
  };
}

type ObjectRow = { payload: AdapterPayload; is_used: boolean };

function objects({ db, connection, alreadyUsed }: ObjectStore, kind: string): Adapter {
  const grace = kind === "RefreshToken" ? refreshGraceSeconds : 0;
  const isUsed = sql`coalesce(consumed_at <= now() - ${grace}::int * interval '1 second', false)`;
  return {
    ...noSessions,
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      await db.changes.query(sql`
        insert into oauth_objects (kind, id_hash, app_id, payload, expires_at)
        values (
          ${kind}, ${hashOf(id)}, ${payload.grantId ?? null}, ${JSON.stringify(payload)},
          now() + ${Math.min(expiresIn ?? 0, longestLife) || null}::int * interval '1 second')
        on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
      if (payload.grantId !== undefined) await keepNewest(db, kind, payload.grantId);
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
      const one = connection();
      const isMeant = one === undefined ? sql`true` : sql`payload ->> 'sessionUid' = ${one}`;
      await db.changes.query(sql`delete from oauth_objects where kind = ${kind} and app_id = ${appId} and ${isMeant}`);
    },
  };
}

/** In seconds: some objects live as long as their makers say. */
const longestLife = 10 * 365 * 86_400;

/** Of each kind, an app has at most so many, on all its machines; of refresh tokens, used ones go first. */
const mostPerApp = 50;

async function keepNewest(db: Database, kind: string, appId: string): Promise<void> {
  await db.changes.query(sql`
    delete from oauth_objects where kind = ${kind} and app_id = ${appId} and id_hash in (
      select id_hash from oauth_objects where kind = ${kind} and app_id = ${appId}
      order by consumed_at is null desc, created_at desc offset ${mostPerApp}::int)`);
}

/** The most requests that wait for a decision: the newest. */
const mostWaiting = 5_000;

/** How long a registration is kept that nobody has connected. */
const unusedDays = 90;

/** The most registrations without a connection that are kept: the newest. */
const mostUnused = 10_000;

/** Deletes what has expired, and registrations that nobody uses. */
export async function pruneObjects(db: Queryable): Promise<void> {
  await db.query(sql`delete from oauth_objects where expires_at < now()`);
  await db.query(sql`
    delete from oauth_objects where kind = 'Interaction' and created_at <= (
      select created_at from oauth_objects where kind = 'Interaction' order by created_at desc offset ${mostWaiting}::int limit 1)`);
  await db.query(sql`
    delete from oauth_objects o using (
      select id_hash, created_at < now() - ${unusedDays}::int * interval '1 day' as is_old,
        row_number() over (order by created_at desc) as place
      from oauth_objects unused
      where kind = 'Client' and not exists (
        select from connected_apps a where a.client_id = unused.payload ->> 'client_id' and a.ended_at is null)) unused
    where o.kind = 'Client' and o.id_hash = unused.id_hash and (unused.is_old or unused.place > ${mostUnused}::int)`);
}
