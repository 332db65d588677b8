import sql from "sql-template-tag";
import type { HostRole } from "../../../contract/nouns.js";
import { holdRight } from "../../access/hold-right.js";
import { hostOrder, hostsOf, offerColumns, offersOf, openOffers } from "../../access/hosting.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";

/** A host of an event; `id` is that of the organization. */
export type Host = { id: string; name: string; slug: string; role: HostRole };

/** The host first, then the co-hosts in their order. */
export async function listHosts(tx: Queryable, eventId: string): Promise<Host[]> {
  return queryNamed<Host>(tx, "list hosts")`
    select h.id, h.name, h.slug, h.role from ${hostsOf(sql`${eventId}`)} h order by ${hostOrder}`;
}

/** An open offer to hand an event over. */
export type HostOffer = { to: NamedHost; from: NamedHost; offered_at: string | null };

type NamedHost = Omit<Host, "role">;

/** The offer of an event among those that the organization has made or received; for administrators, among all. */
export async function findHostOffer(
  tx: Queryable,
  eventId: string,
  organizationId: string | null,
): Promise<HostOffer | null> {
  const offers = organizationId === null ? openOffers : offersOf(organizationId);
  const [offer] = await queryNamed<HostOffer>(tx, "find host offer")`
    select ${offerColumns} from ${offers} o where o.event_id = ${eventId}`;
  return offer ?? null;
}

/** Replaces the offer by another, or by none. */
export async function saveHostOffer(
  tx: Queryable,
  eventId: string,
  offer: HostOffer | null,
  offeredBy: string,
): Promise<void> {
  if (offer !== null) {
    const organizationId = offer.from.id;
    const isHeld = sql`may_offer_events(${offeredBy}, ${organizationId})`;
    await holdRight(tx, { userId: offeredBy, organizationId, isHeld });
  }
  await tx.query(
    offer === null
      ? sql`delete from host_offers where event_id = ${eventId}`
      : sql`
        insert into host_offers (event_id, from_organization_id, to_organization_id, offered_by)
        values (${eventId}, ${offer.from.id}, ${offer.to.id}, ${offeredBy})
        on conflict (event_id) do update set from_organization_id = excluded.from_organization_id,
          to_organization_id = excluded.to_organization_id, offered_by = excluded.offered_by, offered_at = now()`,
  );
}

/** Replaces the hosts of the event by the list. */
export async function saveHosts(tx: Queryable, eventId: string, hosts: Host[]): Promise<void> {
  const ids = hosts.map((host) => host.id);
  await Promise.all([
    tx.query(sql`delete from event_hosts where event_id = ${eventId} and organization_id <> all (${ids}::uuid[])`),
    // The database allows one host at any time: demote the old one before promoting the new one.
    tx.query(sql`
    update event_hosts set role = 'co_host' where event_id = ${eventId} and role = 'host' and organization_id <> ${ids[0]}`),
    tx.query(sql`
    insert into event_hosts (event_id, organization_id, role, position)
    select ${eventId}, host.id, host.role, host.position - 1
    from unnest(${ids}::uuid[], ${hosts.map((host) => host.role)}::text[]) with ordinality as host (id, role, position)
    on conflict (event_id, organization_id) do update set role = excluded.role, position = excluded.position`),
  ]);
}
