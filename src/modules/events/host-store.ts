import sql from "sql-template-tag";
import type { HostRole } from "../../access/hosting.js";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import { uuidPattern } from "../../platform/ids.js";

/** A host of an event; `id` is the organization's. */
export type Host = { id: string; name: string; slug: string; role: HostRole };

/** The host first, then the co-hosts in their order. */
export async function listHosts(tx: Queryable, eventId: string): Promise<Host[]> {
  return tx.query<Host>(sql`
    select o.id, o.name, o.slug, h.role from event_hosts h join organizations o on o.id = h.organization_id
    where h.event_id = ${eventId} order by h.role = 'host' desc, h.position, o.slug`);
}

/** The organization that a tool's input names. A uuid is never taken for a slug: a name must not pass for an id. */
export async function getOrganizationNamed(
  tx: Queryable,
  named: { organization_id?: string; slug?: string },
): Promise<Omit<Host, "role">> {
  const { organization_id: id, slug } = named;
  const wanted = id ?? slug;
  if (wanted === undefined || (id !== undefined && slug !== undefined)) {
    throw new ServiceError("invalid_input", "organization_id: send either organization_id (id or slug) or slug");
  }
  const condition = id !== undefined && uuidPattern.test(id) ? sql`id = ${id}` : sql`slug = ${wanted}`;
  const [row] = await tx.query<Omit<Host, "role">>(sql`select id, name, slug from organizations where ${condition}`);
  if (row === undefined) throw new ServiceError("not_found", `No organization has the id or slug ${wanted}`);
  return row;
}

/** Makes the hosts of the event equal to the list. */
export async function saveHosts(tx: Queryable, eventId: string, hosts: Host[]): Promise<void> {
  const ids = hosts.map((host) => host.id);
  await tx.query(sql`delete from event_hosts where event_id = ${eventId} and organization_id <> all (${ids}::uuid[])`);
  // At most one host at any moment: the old one steps back before the new one steps up.
  await tx.query(sql`
    update event_hosts set role = 'co_host' where event_id = ${eventId} and role = 'host' and organization_id <> ${ids[0]}`);
  await tx.query(sql`
    insert into event_hosts (event_id, organization_id, role, position)
    select ${eventId}, host.id, host.role, host.position - 1
    from unnest(${ids}::uuid[], ${hosts.map((host) => host.role)}::text[]) with ordinality as host (id, role, position)
    on conflict (event_id, organization_id) do update set role = excluded.role, position = excluded.position`);
}
