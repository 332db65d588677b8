import sql from "sql-template-tag";
import { type HostRole, hostOrder, hostsOf } from "../../access/hosting.js";
import type { Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";
import { uuidPattern } from "../../platform/ids.js";

/** A host of an event; `id` is that of the organization. */
export type Host = { id: string; name: string; slug: string; role: HostRole };

/** The host first, then the co-hosts in their order. */
export async function listHosts(tx: Queryable, eventId: string): Promise<Host[]> {
  return tx.query<Host>(sql`
    select h.id, h.name, h.slug, h.role from ${hostsOf(sql`${eventId}`)} h order by ${hostOrder}`);
}

/** The organization that a tool's input names. A uuid is never treated as a slug, so that a slug cannot pass for an id. */
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

/** Replaces the hosts of the event by the list. */
export async function saveHosts(tx: Queryable, eventId: string, hosts: Host[]): Promise<void> {
  const ids = hosts.map((host) => host.id);
  await tx.query(sql`delete from event_hosts where event_id = ${eventId} and organization_id <> all (${ids}::uuid[])`);
  // The database allows one host at any time: demote the old one before promoting the new one.
  await tx.query(sql`
    update event_hosts set role = 'co_host' where event_id = ${eventId} and role = 'host' and organization_id <> ${ids[0]}`);
  await tx.query(sql`
    insert into event_hosts (event_id, organization_id, role, position)
    select ${eventId}, host.id, host.role, host.position - 1
    from unnest(${ids}::uuid[], ${hosts.map((host) => host.role)}::text[]) with ordinality as host (id, role, position)
    on conflict (event_id, organization_id) do update set role = excluded.role, position = excluded.position`);
}
