import sql, { type Sql } from "sql-template-tag";
import type { personFilters } from "../../../contract/console/admin.js";
import { activeKeys } from "../../access/api-key.js";
import type { Position } from "../../infra/database/keyset-page.js";
import { firstMatches, matchesBeginnings } from "../../infra/database/text-search.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";

const matchesPerson = (q: string) => matchesBeginnings(sql`search_text(u.email || ' ' || u.name)`, q);

/** Conditions on a row u of users. */
const conditions: Conditions<typeof personFilters> = {
  q: matchesPerson,
  id: (id) => sql`u.id = ${id}`,
  platform_admin: () => sql`u.platform_admin`,
};

/** Everyone, by e-mail address. When a person was last there is known as long as a session of theirs is. */
export function selectPeople(filters: FilterValues<typeof personFilters>, after: Position | null, limit: number): Sql {
  const { q, ...exact } = filters;
  const later = after === null ? sql`true` : sql`lower(u.email) > ${after[0]}`;
  const others = sql`${filterConditions(conditions, exact)} and ${later}`;
  const [columns, order] = [sql`u.*`, sql`lower(u.email)`];
  const found =
    q === undefined
      ? sql`(select ${columns} from users u where ${others} order by ${order} limit ${limit})`
      : firstMatches({ table: sql`users`, row: sql`u`, columns, matches: matchesPerson(q), others, order }, limit);
  return sql`
    select row_to_json(item)::text as item, array[lower(u.email)] as position
    from ${found} u,
    lateral (
      select u.id, u.name, u.email, u.platform_admin, has_unverified_address(u.id) as unverified, iso8601(u.created_at) as created_at,
        (select iso8601(max(s.last_used_at)) from sessions s where s.user_id = u.id) as last_seen_at,
        (select count(*) from ${activeKeys} k where k.created_by = u.id)::int as keys,
        (select coalesce(json_agg(membership), '[]') from (
          select o.id, o.name, o.slug, m.role from members m join organizations o on o.id = m.organization_id
          where m.user_id = u.id order by lower(o.name), o.id) membership) as organizations) item
    order by lower(u.email)`;
}
