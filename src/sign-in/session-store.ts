import sql from "sql-template-tag";
import type { AccountSession } from "../../contract/console/account.js";
import type { Person } from "../access/session.js";
import { createBatchLoader } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";

/** A session ends when it was not used for `sessionDays`, and in any case `longestSessionDays` after sign-in. */
export const sessionDays = 14;
export const longestSessionDays = 90;
/** Signing in once more ends the session that was used least recently. */
export const sessionsPerPerson = 50;

type FoundSession = Person & { isStale: boolean };

/** In one statement for all requests of an event-loop turn, like keys: a revocation takes effect with the next request. */
export function sessionFinder(db: Queryable): (tokenHash: Buffer) => Promise<FoundSession | undefined> {
  return createBatchLoader(
    (tokenHash) => tokenHash.toString("latin1"),
    async (tokenHashes) => {
      const rows = await db.query<{ place: number; session: FoundSession }>(
        sql`
          select requested.place, json_build_object(
            'sessionId', s.id, 'userId', s.user_id, 'name', u.name, 'email', u.email, 'platformAdmin', u.platform_admin,
            'isStale', s.last_used_at < now() - interval '1 hour') as session
          from unnest(${tokenHashes}::bytea[]) with ordinality requested (token_hash, place)
          join sessions s on s.token_hash = requested.token_hash and s.expires_at > now()
          join users u on u.id = s.user_id`,
        "find sessions",
      );
      const found: (FoundSession | undefined)[] = [];
      for (const { place, session } of rows) found[place - 1] = session;
      return found;
    },
  );
}

export type Client = { ip: string; userAgent: string | undefined };

const maximumUserAgentLength = 400;

/** Inserts nothing if the person no longer exists. */
export async function insertSession(db: Queryable, userId: string, tokenHash: Buffer, client: Client): Promise<void> {
  await db.query(sql`
    insert into sessions (user_id, token_hash, ip_address, user_agent, expires_at)
    select id, ${tokenHash}, ${client.ip}, ${client.userAgent?.slice(0, maximumUserAgentLength) ?? ""},
      now() + ${sessionDays} * interval '1 day'
    from users where id = ${userId}`);
}

/** Moves the end of a session that is in use, at most once an hour. */
export async function extendSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query(sql`
    update sessions set last_used_at = now(),
      expires_at = least(now() + ${sessionDays} * interval '1 day', created_at + ${longestSessionDays} * interval '1 day')
    where id = ${sessionId} and expires_at > now() and last_used_at < now() - interval '1 hour'`);
}

/** Removes a person's expired sessions, and those beyond the limit. */
export async function removeSurplusSessions(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`
    delete from sessions where user_id = ${userId} and (expires_at <= now() or id not in (
      select id from sessions where user_id = ${userId} order by last_used_at desc, id limit ${sessionsPerPerson}))`);
}

export type ListedSession = Omit<AccountSession, "current">;

/** The sessions of a person, the most recently used first. */
export function listSessions(db: Queryable, userId: string): Promise<ListedSession[]> {
  return db.query<ListedSession>(sql`
    select id, iso8601(created_at) as created_at, iso8601(last_used_at) as last_used_at,
      iso8601(expires_at) as expires_at, coalesce(user_agent, '') as user_agent, coalesce(ip_address, '') as ip_address
    from sessions where user_id = ${userId} and expires_at > now() order by sessions.last_used_at desc, id`);
}

/** Returns whether the person had this session. */
export async function deleteSession(db: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const rows = await db.query(sql`delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`);
  return rows.length > 0;
}

/** Ends a person's sessions, except one if given, and returns how many. */
export async function deleteSessions(db: Queryable, userId: string, except: string | null = null): Promise<number> {
  const rows = await db.query(
    sql`delete from sessions where user_id = ${userId} and id is distinct from ${except}::uuid returning id`,
  );
  return rows.length;
}
