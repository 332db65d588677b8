import sql from "sql-template-tag";
import { keysWithState } from "../../access/api-key.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { hostedEvents, visibleEvents, visiblePosters } from "../../access/visibility.js";
import type { Queryable } from "../../platform/database/db.js";
import { matchesWords } from "../../platform/database/text-search.js";
import { ServiceError } from "../../platform/errors.js";
import { columnsOf } from "../../schema/noun.js";
import { rowsWithin, shortText } from "../../tools/bounded.js";
import { organizationFields } from "./schema.js";

export type OrganizationSnapshot = {
  organization: { id: string; name: string; slug: string; description: string | null };
  members: { user_id: string; email: string; name: string; role: string }[];
  events: { id: string; name: string; start_time: string; status: string; role: string }[];
  counts: Record<string, number>;
  keys: { id: string; name: string }[] | null;
};

const shownEvents = 25;
const shownRows = 100;
const shownBytes = 20_000;
const shownDescription = 4000;

/**
 * The organization with its next events; those that have ended come last, newest first. `eventName` filters events by
 * words of their name. Lists are cut to what an agent can read, and `counts` has the totals.
 */
export async function getOrganizationSnapshot(
  tx: Queryable,
  caller: OrganizationCaller,
  baseUrl: string,
  eventName: string | undefined,
): Promise<OrganizationSnapshot> {
  const id = caller.organizationId;
  const named = eventName === undefined ? sql`true` : matchesWords(sql`e.search_text`, eventName);
  const [row] = await tx.query<OrganizationSnapshot>(sql`
    select
      (select row_to_json(item) from (
        select o.id, o.slug, ${columnsOf("o", organizationFields, baseUrl)}
        from organizations o where o.id = ${id}) item) as organization,
      (select coalesce(json_agg(item), '[]') from (
        select m.user_id, u.email, u.name, m.role from members m join users u on u.id = m.user_id
        where m.organization_id = ${id} order by array_position(array['owner', 'admin', 'member'], m.role), u.name, u.id
        limit ${shownRows}) item) as members,
      (select coalesce(json_agg(item), '[]') from (
        select e.id, e.name, iso8601(e.start_time) as start_time, e.status, v.role
        from ${hostedEvents(id)} v join events e on e.id = v.id
        where ${named}
        order by e.end_time < now(),
          case when e.end_time < now() then now() - e.end_time else e.start_time - now() end, e.id
        limit ${shownEvents}) item) as events,
      (select row_to_json(item) from (
        select (select count(*) from members where organization_id = ${id}) as members,
          (select count(*) from ${visibleEvents(caller)} v) as events,
          (select count(*) from ${visiblePosters(caller)} v) as posters,
          (select count(*) from ${visiblePosters(caller)} v where v.published) as published_posters) item) as counts,
      (select coalesce(json_agg(item), '[]') from (
        select k.id, k.name, k.key_prefix, k.scopes, u.email as created_by, iso8601(k.expires_at) as expires_at,
          iso8601(k.last_used_at) as last_used_at
        from ${keysWithState} k join users u on u.id = k.created_by
        where k.organization_id = ${id} and k.state = 'active'
        order by k.created_at desc, k.id limit ${shownRows}) item) as keys`);
  if (row?.organization == null) throw new ServiceError("not_found", "Organization not found");
  const { organization, members, keys } = row;
  return {
    ...row,
    organization: { ...organization, description: shortText(organization.description, shownDescription) },
    members: rowsWithin(members, shownBytes),
    keys: caller.role === "owner" ? rowsWithin(keys ?? [], shownBytes) : null,
  };
}
