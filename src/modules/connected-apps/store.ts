import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { connectedAppsLimit } from "../../../contract/nouns.js";
import type { Scope } from "../../../contract/scopes.js";
import { accountHolder, type Operator, type OrganizationCaller } from "../../access/caller.js";
import { activeApps, appsWithState, endApps } from "../../access/connected-apps.js";
import { holdRight } from "../../access/hold-right.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import type { Metrics } from "../../infra/observability/metrics.js";
import { shareLastRead } from "../../infra/observability/shared-read.js";
import { recordedChange } from "../../records/recorded-change.js";

/** A connected app as tools and records show it. `connected_by` is the user that it acts for. */
export type ConnectedApp = {
  id: string;
  name: string;
  /** Its id, which can be the URL of its description. */
  client: string;
  scopes: Scope[];
  connected_by: string;
  connected_by_email: string;
};

const toolColumns = sql`
  a.id, a.name, a.client_id as client, a.scopes, a.user_id as connected_by,
  (select email from users where id = a.user_id) as connected_by_email`;

export async function findApp(db: Queryable, organizationId: string, id: string): Promise<ConnectedApp | undefined> {
  const [app] = await db.query<ConnectedApp>(sql`
    select ${toolColumns} from connected_apps a
    where a.id = ${id} and a.organization_id = ${organizationId} and a.ended_at is null`);
  return app;
}

export type AppToConnect = { clientId: string; name: string; scopes: Scope[] };

/**
 * Connects an app for the caller, or changes what it may do if it is connected already, for which it keeps one row: it may
 * run on several machines. Returns the id.
 */
export async function connectApp(
  db: Database,
  caller: OrganizationCaller,
  { clientId, name, scopes }: AppToConnect,
): Promise<string> {
  const { organizationId, userId } = caller;
  const { result } = await recordedChange(db, caller, async (tx) => {
    const isHeld = sql`exists (
      select from members where organization_id = ${organizationId} and user_id = ${userId} and role = ${caller.role})`;
    await holdRight(tx, { userId, organizationId, isHeld });
    const [before] = await tx.query<ConnectedApp>(sql`
      select ${toolColumns} from connected_apps a
      where a.organization_id = ${organizationId} and a.user_id = ${userId} and a.client_id = ${clientId}
        and a.ended_at is null`);
    if (before === undefined) await requireRoom(tx, organizationId);
    const [row] = await tx.query<{ id: string }>(sql`
      insert into connected_apps (user_id, organization_id, client_id, name, scopes)
      values (${userId}, ${organizationId}, ${clientId}, ${name}, ${scopes})
      on conflict (organization_id, user_id, client_id) where ended_at is null
      do update set name = excluded.name, scopes = excluded.scopes, connected_at = now()
      returning id`);
    const app = row === undefined ? undefined : await findApp(tx, organizationId, row.id);
    if (app === undefined) throw new Error("connecting an app returned no row");
    const request = { client: clientId, name, scopes };
    return { result: app.id, record: { tool: "connect_app", request, before, after: app } };
  });
  return result;
}

export async function countActiveApps(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from ${activeApps} a`,
    "count connected apps",
  );
  return row?.count ?? 0;
}

export function observeApps(metrics: Metrics, db: Queryable): void {
  const count = shareLastRead(() => countActiveApps(db));
  metrics.gauge("svc_connected_apps", "Apps that people have connected by signing in", count);
}

async function requireRoom(tx: Queryable, organizationId: string): Promise<void> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from ${activeApps} a where a.organization_id = ${organizationId}`);
  if ((row?.count ?? 0) < connectedAppsLimit) return;
  const advice = "disconnect one first, on the page Connected apps";
  throw new ServiceError("conflict", `An organization has at most ${connectedAppsLimit} connected apps: ${advice}`);
}

/** Ends an app for which nobody asked in the console: by default as its person, because the app or its tokens did it. */
export async function endAppBecause(
  db: Database,
  id: string,
  reason: string,
  actor?: Operator,
): Promise<ConnectedApp | undefined> {
  const [app] = await db.query<{ user_id: string; organization_id: string }>(
    sql`select user_id, organization_id from connected_apps where id = ${id} and ended_at is null`,
  );
  if (app === undefined) return undefined;
  const { result } = await recordedChange(db, actor ?? accountHolder(app.user_id), async (tx) => {
    const before = await findApp(tx, app.organization_id, id);
    if (before === undefined) return { result: undefined, record: null };
    await endApps(tx, sql`id = ${id}`);
    const request = { app_id: id };
    const record = {
      tool: "disconnect_app",
      organization_id: app.organization_id,
      request,
      before,
      reason,
    };
    return { result: before, record };
  });
  return result;
}

const shownEnded = 50;

/** The list of connected apps as JSON text: all that work, then those that ended last. */
export async function connectedAppsJson(db: Queryable, organizationId: string): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    with apps as (
      select a.id, a.name, a.client_id, a.scopes, a.state,
        json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', a.role) as connected_by,
        iso8601(a.connected_at) as connected_at, iso8601(a.last_used_at) as last_used_at, iso8601(a.ended_at) as ended_at
      from ${appsWithState} a join users u on u.id = a.user_id
      where a.organization_id = ${organizationId})
    select json_build_object(
      'apps', (select coalesce(json_agg(item), '[]') from (
        select * from apps where state = 'active' order by connected_at desc, id) item),
      'ended_apps', (select coalesce(json_agg(item), '[]') from (
        select * from apps where state <> 'active' order by ended_at desc nulls first, id limit ${shownEnded}) item))::text as json`);
  return row?.json ?? "";
}

export type ListedApp = {
  id: string;
  name: string;
  client_id: string;
  organization: string;
  person: string;
  scopes: Scope[];
  state: "active" | "inactive" | "ended";
  connected_at: string;
  last_used_at: string | null;
  ended_at: string | null;
};

/** All connected apps, newest first. */
export function listApps(db: Queryable): Promise<ListedApp[]> {
  return db.query<ListedApp>(sql`
    select a.id, a.name, a.client_id, o.slug as organization, u.email as person, a.scopes, a.state,
      iso8601(a.connected_at) as connected_at, iso8601(a.last_used_at) as last_used_at, iso8601(a.ended_at) as ended_at
    from ${appsWithState} a join organizations o on o.id = a.organization_id join users u on u.id = a.user_id
    order by a.connected_at desc, a.id`);
}
