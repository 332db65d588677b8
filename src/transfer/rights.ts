import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { hostsOf, offerColumns, openOffers } from "../access/hosting.js";
import type { Queryable } from "../infra/database/db.js";
import { type OfferOfEvent, recordOffer } from "../modules/events/store.js";
import { isOpenInvitation } from "../modules/users/invitation-store.js";
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

/** Somebody, and what an import ends of theirs: addresses of open invitations, and offers of events. */
export type Withdrawn = { email: string; invitations: string[]; offers: OfferOfEvent[] };

/**
 * Reads from the plan of an import, before it is written, what the database will end: invitations and offers of people who lose
 * the right to make them, and offers of events that get another host.
 */
export async function readWithdrawn(work: Queryable, given: TransferList[]): Promise<Withdrawn[]> {
  const isGiven = (list: TransferListName) => given.some(({ name }) => name === list);
  if (!isGiven("users") && !isGiven("organizations") && !isGiven("events")) return [];
  const administers = isGiven("users")
    ? sql`coalesce((select p.platform_admin from planned_users p where p.id = u.id), u.platform_admin)`
    : sql`u.platform_admin`;
  const roleIn = (organization: Sql) => {
    const stored = sql`(select m.role from members m where m.organization_id = ${organization} and m.user_id = u.id)`;
    if (!isGiven("organizations")) return stored;
    return sql`
      case when exists (select from planned_organizations p where p.id = ${organization} and p.entries_given)
        then (select e.role from planned_members e where e.owner_id = ${organization} and e.target_id = u.id)
        else ${stored} end`;
  };
  const hostsChange = isGiven("events")
    ? sql`exists (
        select from planned_events p, lateral ${hostsOf(sql`p.id`)} h
        left join planned_event_hosts e on e.owner_id = o.event_id and e.target_id = h.id
        where p.id = o.event_id and p.entries_given
          and (e.role <> h.role or e.role is null and h.id in (o.from_organization_id, o.to_organization_id)))`
    : sql`false`;
  const rows = await work.query<Withdrawn>(sql`
    select u.email,
      array(
        select i.email from invitations i
        where i.inviter_id = u.id and ${isOpenInvitation} and not ${administers}
          and (i.platform_admin or ${roleIn(sql`i.organization_id`)} is distinct from 'owner')
        order by lower(i.email), i.id) as invitations,
      (select coalesce(json_agg(ended), '[]') from (
        select json_build_object('id', e.id, 'name', e.name) as event, ${offerColumns}
        from ${openOffers} o join events e on e.id = o.event_id
        where o.offered_by = u.id
          and (coalesce(${roleIn(sql`o.from_organization_id`)}, 'member') = 'member' or ${hostsChange})
        order by o.offered_at, o.event_id) ended) as offers
    from users u
    where u.id in (
      select inviter_id from invitations where accepted_at is null and withdrawn_at is null
      union select offered_by from host_offers)
    order by lower(u.email)`);
  return rows.filter(({ invitations, offers }) => invitations.length + offers.length > 0);
}

/** Tells the organizations whose offers end. */
export async function recordWithdrawn(tx: Queryable, actor: Actor, withdrawn: Withdrawn[]): Promise<void> {
  for (const offer of withdrawn.flatMap(({ offers }) => offers)) await recordOffer(tx, actor, "withdrawn", offer);
}
