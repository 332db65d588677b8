import sql, { type Sql } from "sql-template-tag";
import type { FirstSteps, ReceivedOffer } from "../../../contract/console/organization.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { isOfOffer, offerColumns, offersTo } from "../../access/hosting.js";
import { eventsAroundNow, hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";

const shownOffers = 20;

/** The events that other organizations offer to hand over, the newest offer first. */
export async function readReceivedOffers(
  db: Queryable,
  { organizationId }: OrganizationCaller,
): Promise<ReceivedOffer[]> {
  return db.query<ReceivedOffer>(sql`
    select (select row_to_json(item) from (
        select e.id, e.name, iso8601(e.start_time) as start_time, e.timezone from events e where e.id = o.event_id) item)
        as event, ${offerColumns}
    from ${offersTo(organizationId)} o order by o.offered_at desc, o.event_id limit ${shownOffers}`);
}

/** What an organization that begins has done: it hosts an event, has a logo, and somebody was invited. */
export async function readFirstSteps(db: Queryable, { organizationId }: OrganizationCaller): Promise<FirstSteps> {
  const [steps] = await db.query<FirstSteps>(sql`
    select exists (select from ${hostedEvents(organizationId)} v) as events, o.logo_url is not null as logo,
      (select count(*) from (select from members where organization_id = o.id limit 2) m) > 1
        or exists (
          select from invitations where organization_id = o.id and accepted_at is null and withdrawn_at is null) as colleague
    from organizations o where o.id = ${organizationId}`);
  if (steps === undefined) throw new Error("the organization of a member is gone");
  return steps;
}

/** More are not counted. */
export const countedAtMost = 1_000;

type News = { links: number; guests: number; changes: number };

/**
 * What happened since a time: reported links, new guests, and changes that this person did not make in the console. Of an
 * organization with many events, links, guests and changes by others count where they concern the nearest.
 */
export async function readNews(db: Queryable, caller: OrganizationCaller, since: string): Promise<News> {
  const { organizationId, userId } = caller;
  const counted = (rows: Sql) => sql`(select count(*)::int from (${rows} limit ${countedAtMost}) counted)`;
  const ofEvents = (rows: Sql) =>
    counted(sql`select from ${eventsAroundNow(organizationId)} v, lateral (${rows}) found`);
  const later = sql`> ${since}::timestamptz limit ${countedAtMost}`;
  // Links have a count of their own.
  const byOthers = sql`r.tool <> 'patch_poster' and (r.user_id is distinct from ${userId} or r.via <> 'console')`;
  const [row] = await db.query<News>(sql`
    select ${ofEvents(sql`select from poster_links l where l.event_id = v.id and l.reported_at ${later}`)} as links,
      ${ofEvents(sql`select from registrations g where g.event_id = v.id and g.registered_at ${later}`)} as guests,
      least(${countedAtMost}, ${counted(sql`
        select from mutation_records r where r.organization_id = ${organizationId} and ${byOthers} and r.at > ${since}::timestamptz`)}
      + ${ofEvents(sql`
        select from mutation_records r
        where r.event_id = v.id and r.organization_id is distinct from ${organizationId} and ${byOthers}
          and not ${isOfOffer} and r.at ${later}`)})
      as changes`);
  return row ?? { links: 0, guests: 0, changes: 0 };
}

/** A visit is over when the person has not looked for this long. */
const visitEnds = sql`interval '30 minutes'`;
/** A page may note its visit more often: it is stored at most this often. */
const notedEvery = sql`interval '1 minute'`;

type Visitor = { organizationId: string; userId: string };

/** Notes that a person looks at the dashboard. It is not a change of the organization's data and has no record. */
export async function noteVisit(db: Queryable, { organizationId, userId }: Visitor): Promise<void> {
  await db.query(sql`
    insert into visits (user_id, organization_id, visited_at) values (${userId}, ${organizationId}, now())
    on conflict (user_id, organization_id) do update set
      previous_visit_at =
        case when visits.visited_at < now() - ${visitEnds} then visits.visited_at else visits.previous_visit_at end,
      visited_at = now()
    where visits.visited_at < now() - ${notedEvery}`);
}

/** The end of the visit before this one, whether or not this one is noted yet; null on the first visit. */
export async function findPreviousVisit(db: Queryable, { organizationId, userId }: Visitor): Promise<string | null> {
  const [row] = await db.query<{ since: string | null }>(sql`
    select iso8601(case when visited_at < now() - ${visitEnds} then visited_at else previous_visit_at end) as since
    from visits where user_id = ${userId} and organization_id = ${organizationId}`);
  return row?.since ?? null;
}
