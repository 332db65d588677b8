import sql, { raw, type Sql } from "sql-template-tag";
import type { organizationFilters } from "../../../contract/console/admin.js";
import { ServiceError } from "../../../contract/errors.js";
import type { NameOrAge } from "../../../contract/orders.js";
import { organizationFields } from "../../../contract/schema/organizations.js";
import { activeKeys } from "../../access/api-key.js";
import { hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfterIn, type Direction, type Position } from "../../infra/database/keyset-page.js";
import { matchesWords } from "../../infra/database/text-search.js";
import { columnsOf } from "../../schema/columns.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";

/** Conditions on a row o of organizations. */
const conditions: Conditions<typeof organizationFilters> = {
  q: (q) => matchesWords(sql`search_text(o.name || ' ' || o.slug)`, q),
};

/** Counts of a row o: how many members, owners, keys that work, and events that they host and somebody sees. */
const counts = sql`
  (select count(*) from members m where m.organization_id = o.id)::int as members,
  (select count(*) from members m where m.organization_id = o.id and m.role = 'owner')::int as owners,
  (select count(*) from ${activeKeys} k where k.organization_id = o.id)::int as keys,
  (select count(*) from ${hostedEvents(sql`o.id`)} h)::int as events`;

/** What each order sorts by. */
const orders: Record<NameOrAge, { by: Sql; type: string; direction: Direction }> = {
  name: { by: sql`lower(o.name)`, type: "text", direction: "asc" },
  newest: { by: sql`o.created_at`, type: "timestamptz", direction: "desc" },
};

/** All organizations. */
export function selectOrganizations(
  { sort, ...filters }: FilterValues<typeof organizationFilters> & { sort: NameOrAge },
  baseUrl: string,
  position: Position | null,
  limit: number,
): Sql {
  const { by, type, direction } = orders[sort];
  const order = sql`${by} ${raw(direction)}, o.id ${raw(direction)}`;
  return sql`
    select row_to_json(item)::text as item, array[(${by})::text, o.id::text] as position
    from (
      select * from organizations o
      where ${filterConditions(conditions, filters)} and ${comesAfterIn(direction, sql`${by}, o.id`, position, [type, "uuid"])}
      order by ${order} limit ${limit}) o,
    lateral (
      select o.id, o.name, o.slug, absolute_url(${baseUrl}, o.logo_url) as logo_url,
        iso8601(o.created_at) as created_at, ${counts}) item
    order by ${order}`;
}

const shownMembers = 500;

/** An organization with its members, owners first. */
export async function getOrganizationForAdmins(db: Queryable, id: string, baseUrl: string): Promise<object> {
  const [row] = await db.query<{ item: object }>(sql`
    select row_to_json(item) as item from organizations o, lateral (
      select o.id, o.slug, ${columnsOf("o", organizationFields, baseUrl)}, iso8601(o.created_at) as created_at, ${counts},
        (select coalesce(json_agg(member), '[]') from (
          select u.id, u.name, u.email, m.role from members m join users u on u.id = m.user_id
          where m.organization_id = o.id
          order by array_position(array['owner', 'admin', 'member'], m.role), lower(u.name), u.id
          limit ${shownMembers}) member) as people) item
    where o.id = ${id}`);
  if (row === undefined) throw new ServiceError("not_found", `No organization has the id ${id}`);
  return row.item;
}
