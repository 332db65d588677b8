import sql from "sql-template-tag";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";
import { recordedChange } from "../../tools/recorded-change.js";
import { getUserByEmail, type User } from "./store.js";

export type RemovedUser = User & { organizations: string[]; keys: string[] };

/** Removes a person with their memberships and keys. The only owner of an organization is refused. */
export async function removeUser(db: Database, actor: Actor, email: string): Promise<RemovedUser> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const user = await getUserByEmail(tx, email);
    await requireOtherOwners(tx, user);
    const [related] = await tx.query<Pick<RemovedUser, "organizations" | "keys">>(sql`
      select
        array(select o.slug from members m join organizations o on o.id = m.organization_id
          where m.user_id = ${user.id} order by 1) as organizations,
        array(select k.id::text from api_keys k where k.created_by = ${user.id} order by 1) as keys`);
    await tx.query(sql`delete from users where id = ${user.id}`);
    const removed = { ...user, organizations: [], keys: [], ...related };
    return { result: removed, record: { tool: "svc:users remove", request: { user_id: user.id }, before: removed } };
  });
  return result;
}

async function requireOtherOwners(tx: Queryable, user: User): Promise<void> {
  // Locked, so that two owners cannot be removed at the same time.
  const owners = await tx.query<{ slug: string; user_id: string }>(sql`
    select o.slug, m.user_id from members m join organizations o on o.id = m.organization_id
    where m.role = 'owner' and m.organization_id in (select organization_id from members where user_id = ${user.id})
    order by o.slug, m.user_id for update of m`);
  const owned = owners.filter(({ user_id }) => user_id === user.id).map(({ slug }) => slug);
  const shared = new Set(owners.filter(({ user_id }) => user_id !== user.id).map(({ slug }) => slug));
  const alone = owned.filter((slug) => !shared.has(slug));
  if (alone.length === 0) return;
  throw new ServiceError("conflict", `${user.email} is the only owner of ${alone.join(", ")}: add another owner first`);
}
