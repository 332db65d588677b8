import sql from "sql-template-tag";
import type { OrganizationCaller } from "../../access/caller.js";
import { visibleEvents } from "../../access/visibility.js";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";

export type OrganizationSnapshot = {
  organization: { id: string; name: string; slug: string };
  members: { user_id: string; email: string; name: string; role: string }[];
  events: { id: string; name: string; start_time: string; status: string; role: string }[];
  counts: Record<string, number>;
  keys: { id: string; name: string }[] | null;
};

const shownEvents = 25;
const shownMembers = 200;
const shownKeys = 100;

/** Events that have ended come last; the lists are cut to what fits an agent, and `counts` tells the whole. */
export async function getOrganizationSnapshot(
  tx: Queryable,
  caller: OrganizationCaller,
  baseUrl: string,
): Promise<OrganizationSnapshot> {
  const id = caller.organizationId;
  const [row] = await tx.query<OrganizationSnapshot>(sql`
    select
      (select row_to_json(item) from (
        select o.id, o.name, o.slug, o.description, o.website_url, o.contact_email, o.social_links,
          absolute_url(${baseUrl}, o.logo_url) as logo_url, absolute_url(${baseUrl}, o.logo_dark_url) as logo_dark_url,
          o.brand_primary_color, o.brand_secondary_color
        from organizations o where o.id = ${id}) item) as organization,
      (select coalesce(json_agg(item), '[]') from (
        select m.user_id, u.email, u.name, m.role from members m join users u on u.id = m.user_id
        where m.organization_id = ${id} order by m.role = 'owner' desc, u.name, u.id limit ${shownMembers}) item) as members,
      (select coalesce(json_agg(item), '[]') from (
        select e.id, e.name, iso8601(e.start_time) as start_time, e.status, h.role
        from ${visibleEvents(caller)} v join events e on e.id = v.id
        join event_hosts h on h.event_id = e.id and h.organization_id = ${id}
        order by e.end_time < now(), e.start_time, e.id limit ${shownEvents}) item) as events,
      (select row_to_json(item) from (
        select (select count(*) from members where organization_id = ${id}) as members,
          (select count(*) from ${visibleEvents(caller)} v) as events,
          (select count(*) from hosted_posters where organization_id = ${id} and listed) as posters,
          (select count(*) from hosted_posters where organization_id = ${id} and listed and published)
            as published_posters) item) as counts,
      (select coalesce(json_agg(item), '[]') from (
        select k.id, k.name, k.key_prefix, k.scopes, u.email as created_by, iso8601(k.expires_at) as expires_at,
          iso8601(k.last_used_at) as last_used_at
        from api_keys k join users u on u.id = k.created_by
        where k.organization_id = ${id} and k.revoked_at is null and k.expires_at > now()
        order by k.created_at desc, k.id limit ${shownKeys}) item) as keys`);
  if (row?.organization == null) throw new ServiceError("not_found", "Organization not found");
  return caller.role === "owner" ? row : { ...row, keys: null };
}
