import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { resetLinkHours } from "../../../contract/nouns.js";
import { holdRight } from "../../access/hold-right.js";
import type { Queryable } from "../../infra/database/db.js";
import { createLinkToken, hashOfLinkToken } from "./link-token.js";

type NewResetLink = {
  userId: string;
  /** Who makes it in the console and sees it; null for one that is mailed, or made by an operator. */
  createdBy: string | null;
};

/** The link with which a person sets a new password once. Links from before no longer work. */
export async function createResetLink(
  db: Queryable,
  baseUrl: string,
  { userId, createdBy }: NewResetLink,
): Promise<string> {
  const { token, hash } = createLinkToken();
  await db.query(sql`
    insert into password_resets (user_id, token_hash, created_by, expires_at)
    values (${userId}, ${hash}, ${createdBy}, now() + ${resetLinkHours} * interval '1 hour')
    on conflict (user_id) do update
      set token_hash = excluded.token_hash, created_by = excluded.created_by, created_at = now(), expires_at = excluded.expires_at`);
  return `${baseUrl}/reset/${token}`;
}

/** Whose password a link resets, and who made it. Whoever made it must still have the right to. */
export type Reset = { id: string; email: string; createdBy: string | null };

export async function getReset(db: Queryable, token: string): Promise<Reset> {
  const hash = hashOfLinkToken(token);
  const [row] =
    hash === undefined
      ? []
      : await db.query<Reset>(sql`
          select u.id, u.email, r.created_by as "createdBy" from password_resets r join users u on u.id = r.user_id
          where r.token_hash = ${hash} and r.expires_at > now()
            and (r.created_by is null or may_reset_password(r.created_by, u.id))`);
  if (row === undefined) {
    throw new ServiceError("not_found", "This link does not exist, was used, or has expired. Request another");
  }
  return row;
}

/** A link that works, as records show it. */
export type ShownResetLink = { created_at: string | null; expires_at: string | null };

export async function findResetLink(db: Queryable, userId: string): Promise<ShownResetLink | null> {
  const [row] = await db.query<ShownResetLink>(sql`
    select iso8601(created_at) as created_at, iso8601(expires_at) as expires_at
    from password_resets where user_id = ${userId} and expires_at > now()`);
  return row ?? null;
}

export async function requireMayReset(db: Queryable, makerId: string, userId: string): Promise<void> {
  if (makerId === userId) {
    throw new ServiceError("forbidden", "This is your own account: change your password on the page Account");
  }
  const [row] = await db.query<{ may: boolean }>(sql`select may_reset_password(${makerId}, ${userId}) as may`);
  if (row?.may) return;
  throw new ServiceError(
    "forbidden",
    "This account has rights outside of your organization, or signs in with OpenID Connect: only an administrator of the platform can make a link for it",
  );
}

/** Makes the link of a change that records it. `organizationId` is that of the maker's right, if it comes from one. */
export async function createSeenResetLink(
  tx: Queryable,
  baseUrl: string,
  { userId, createdBy, organizationId }: { userId: string; createdBy: string; organizationId: string | null },
): Promise<string> {
  const isHeld = sql`may_reset_password(${createdBy}, ${userId})`;
  await holdRight(tx, { userId: createdBy, organizationId, isHeld });
  return createResetLink(tx, baseUrl, { userId, createdBy });
}
