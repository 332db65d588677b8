import sql from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { endAppsFrom } from "../access/connected-apps.js";
import { revokeKeysFrom } from "../access/organization-keys.js";
import type { Queryable } from "../infra/database/db.js";
import { revokeDoorLinksFrom } from "../modules/door-links/store.js";
import { endInvitationsAndOffers } from "../modules/users/ending-rights.js";

/** What an account made while nobody had verified its address, and what ends when somebody does; `keys_revoked` and `apps_ended` are ids. */
export type EndedUnverified = {
  keys_revoked: string[];
  apps_ended: string[];
  invitations_withdrawn: number;
  offers_withdrawn: number;
  door_links_revoked: number;
};

/** When the address of an account was verified, if it was; undefined if there is no such account. Locked until the commit. */
export async function lockVerifiedAt(tx: Queryable, userId: string): Promise<string | null | undefined> {
  const [user] = await tx.query<{ verified_at: string | null }>(
    sql`select iso8601(email_verified_at) as verified_at from users where id = ${userId} for update`,
  );
  return user?.verified_at;
}

/**
 * Ends what an account has made before its address was verified, or ever if it was not: whoever invited its owner may have made
 * it. Passwords and sessions are the caller's part.
 */
export async function endUnverified(
  tx: Queryable,
  actor: Actor,
  userId: string,
  verifiedAt: string | null,
): Promise<EndedUnverified> {
  return {
    keys_revoked: await revokeKeysFrom(tx, userId, verifiedAt),
    apps_ended: await endAppsFrom(tx, userId, verifiedAt),
    ...(await endInvitationsAndOffers(tx, actor, userId, verifiedAt)),
    door_links_revoked: await revokeDoorLinksFrom(tx, userId, verifiedAt),
  };
}
