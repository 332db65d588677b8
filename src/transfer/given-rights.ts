import { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import type { TransferList, TransferListName } from "./transfer-lists.js";

/** Somebody whose address nobody has verified, and the rights that an import gives them. */
export type UnverifiedWithRights = { email: string; rights: string[] };

const rights: Partial<Record<TransferListName, string>> = {
  users: `
    select u.id, 'platform administrator' as title from planned_users p join users u on u.id = p.id
    where p.platform_admin and not u.platform_admin`,
  organizations: `
    select e.target_id, e.role || ' of ' || p.slug
    from planned_members e join planned_organizations p on p.n = e.n
    left join members m on m.organization_id = e.owner_id and m.user_id = e.target_id
    where e.role = 'owner' and m.role is distinct from 'owner' or e.role = 'admin' and coalesce(m.role, 'member') = 'member'`,
};

/** Reads from the plan of an import, before it is written. */
export async function readUnverifiedWithRights(
  work: Queryable,
  given: TransferList[],
): Promise<UnverifiedWithRights[]> {
  const planned = given.flatMap(({ name }) => rights[name] ?? []);
  if (planned.length === 0) return [];
  return work.query<UnverifiedWithRights>(
    raw(`
      select u.email, array_agg(g.title order by g.title) as rights
      from (${planned.join(" union all ")}) g (id, title) join users u on u.id = g.id
      where has_unverified_address(u.id) group by u.id order by lower(u.email)`),
  );
}
