import sql, { type Sql } from "sql-template-tag";
import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import type { Queryable } from "../infra/database/db.js";
import type { BearerCaller } from "./caller.js";

/**
 * All connected apps with their state and the live role of the person. Only tokens of an active one authenticate; one is
 * inactive when the person has left the organization.
 */
export const appsWithState = sql`(
  select a.*, m.role,
    case when a.ended_at is not null then 'ended' when m.role is null then 'inactive' else 'active' end as state
  from connected_apps a
  left join members m on m.organization_id = a.organization_id and m.user_id = a.user_id)`;

export const activeApps = sql`(select * from ${appsWithState} a where a.state = 'active')`;

/** The active app that has a token with this hash, and the scopes of the token. */
export function appOfToken(tokenHash: Sql): Sql {
  return sql`(
    select a.*, t.payload ->> 'scope' as token_scope
    from (select * from oauth_objects where kind = 'AccessToken' and id_hash = ${tokenHash} and expires_at > now() limit 1) t
    join ${activeApps} a on a.id = t.app_id)`;
}

/** A row a of `appOfToken` as one value. */
export const activeAppJson = sql`
  json_build_object(
    'appId', a.id, 'appName', a.name, 'userId', a.user_id, 'lastUsedAt', a.last_used_at,
    'organizationId', a.organization_id, 'scopes', a.scopes, 'tokenScope', a.token_scope, 'role', a.role)`;

export type ActiveApp = {
  appId: string;
  appName: string;
  userId: string;
  lastUsedAt: string | null;
  organizationId: string;
  scopes: Scope[];
  tokenScope: string | null;
  role: Role;
};

/** A token has no scope that was taken from the app since it was issued. */
export function callerOfApp(app: ActiveApp): BearerCaller {
  const { appId, appName, userId, organizationId, role } = app;
  const lastUsedAt = app.lastUsedAt === null ? null : new Date(app.lastUsedAt);
  const granted = new Set(app.tokenScope?.split(" "));
  return {
    via: { kind: "app", appId, appName, lastUsedAt },
    tier: "organization",
    organizationId,
    userId,
    scopes: app.scopes.filter((scope) => granted.has(scope)),
    role,
  };
}

/** Ends the apps that a member has connected to an organization. */
export async function endAppsOf(db: Queryable, organizationId: string, userId: string): Promise<void> {
  await endApps(db, sql`organization_id = ${organizationId} and user_id = ${userId}`);
}

/** Ends the apps that a person has connected before a time, or all, in every organization; returns their ids. */
export async function endAppsFrom(db: Queryable, userId: string, before: string | null): Promise<string[]> {
  const isBefore = sql`(${before}::timestamptz is null or connected_at < ${before}::timestamptz)`;
  return endApps(db, sql`user_id = ${userId} and ${isBefore}`);
}

/** Ends the connected apps that meet a condition, with their tokens; returns their ids. */
export async function endApps(db: Queryable, condition: Sql): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    with ended as (update connected_apps set ended_at = now() where ended_at is null and ${condition} returning id),
    gone as (delete from oauth_objects using ended where app_id = ended.id)
    select id from ended`);
  return rows.map(({ id }) => id);
}

/** Apps that work now and act for this member. */
export function listActiveAppsOf(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  return db.query(sql`
    select a.id, a.name from ${activeApps} a
    where a.organization_id = ${organizationId} and a.user_id = ${userId} order by a.connected_at, a.id`);
}
