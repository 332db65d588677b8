import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { HostRole } from "../../../contract/nouns.js";
import { eventFields, type eventFilters, publicEventFields } from "../../../contract/schema/events.js";
import type { Actor, Caller, OrganizationCaller, PlatformCaller } from "../../access/caller.js";
import { hostOrder, hostsOf, offerColumns, offersOf, openOffers } from "../../access/hosting.js";
import { proposalColumns, proposalsOf } from "../../access/proposals.js";
import { fellowOrganizations, visibleEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfter, type Position } from "../../infra/database/keyset-page.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import { matchesWords } from "../../infra/database/text-search.js";
import { insertRecord } from "../../records/recorded-change.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { columnsOf } from "../../schema/columns.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import { posterCounts } from "../posters/store.js";
import type { HostOffer } from "./host-store.js";
import { type EventDetails, maximumHosts, type OfferedChange } from "./rules.js";

const conditions: Conditions<typeof eventFilters> = { category: (category) => sql`v.category = ${category}` };

type EventList = { conferenceId: string; filters: FilterValues<typeof eventFilters> };

export function selectEvents(
  caller: Caller,
  { conferenceId, filters }: EventList,
  baseUrl: string,
  after: Position | null,
  limit: Sql,
): Sql {
  const later = comesAfter(sql`v.start_time, v.id`, after, ["timestamptz", "uuid"]);
  // The limit makes the join a look-up by id: only the rows of the page are read.
  return sql`
    select row_to_json(item)::text as item, array[iso8601(v.start_time), v.id::text] as position
    from ${visibleEvents(caller)} v, lateral (select * from events where id = v.id limit 1) e,
      lateral (
        select e.id, ${columnsOf("e", publicEventFields, baseUrl)}, e.conference_id,
          iso8601(e.created_at) as created_at) item
    where v.conference_id = ${conferenceId} and ${filterConditions(conditions, filters)} and ${later}
    order by v.start_time, v.id limit ${limit}`;
}

/** The name of an event, in any status. */
export async function getEventName(tx: Queryable, eventId: string): Promise<string> {
  const [row] = await queryNamed<{ name: string }>(tx, "get event name")`select name from events where id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row.name;
}

/** The named fields. A start or an end is decided together with the other. */
export async function getEventDetails(
  tx: Queryable,
  eventId: string,
  names: string[],
  baseUrl: string,
): Promise<EventDetails> {
  const row = await findEventDetails(tx, eventId, baseUrl);
  if (row === undefined) throw eventNotFound();
  const wanted = new Set(names);
  if (wanted.has("start_time") || wanted.has("end_time")) wanted.add("start_time").add("end_time");
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name)));
}

/** All of an event's editable fields, in any status. */
export async function findEventDetails(
  tx: Queryable,
  eventId: string,
  baseUrl: string,
): Promise<Required<EventDetails> | undefined> {
  const [row] = await queryNamed<Required<EventDetails>>(tx, "find event details")`
    select ${columnsOf("e", eventFields, baseUrl)} from events e where e.id = ${eventId}`;
  return row;
}

/** An open offer with its event. */
export type OfferOfEvent = HostOffer & { event: { id: string; name: string } };

/** The open offers that a person has made, for one organization or for all, oldest first. */
export function listOffersBy(tx: Queryable, userId: string, organizationId?: string): Promise<OfferOfEvent[]> {
  const ofOrganization = organizationId === undefined ? sql`` : sql`and o.from_organization_id = ${organizationId}`;
  return tx.query<OfferOfEvent>(sql`
    select json_build_object('id', e.id, 'name', e.name) as event, ${offerColumns}
    from ${openOffers} o join events e on e.id = o.event_id
    where o.offered_by = ${userId} ${ofOrganization} order by o.offered_at, o.event_id`);
}

/** Records in the history of the organization that an event was offered to that it was, or no longer is. */
export async function recordOffer(
  tx: Queryable,
  actor: Actor,
  change: "received" | "withdrawn",
  { event, from, to }: Omit<OfferOfEvent, "offered_at">,
): Promise<void> {
  await insertRecord(tx, unnamed(actor), {
    tool: `host_offer_${change}`,
    organization_id: to.id,
    request: { event_id: event.id },
    [change === "received" ? "after" : "before"]: { event, from },
  });
}

/** People of one organization are not named to another. Operators belong to none. */
function unnamed(actor: Actor): Actor {
  if (actor.via.kind === "command_line") return actor;
  const { kind } = actor.via;
  return { via: { kind: kind === "key" || kind === "app" ? kind : "console" }, name: null };
}

/** An organization that looks at an event, and what it is to the event. */
type Reader = { organizationId: string; role: HostRole };

/** What every page of an event shows, as JSON text: all details, the hosts, and counts. */
export async function getEventPage(
  db: Queryable,
  eventId: string,
  { organizationId, role }: Reader,
  baseUrl: string,
): Promise<string> {
  const [row] = await db.query<{ page: string }>(sql`
    select json_build_object(
      'event', (select row_to_json(item) from (
        select e.id, ${columnsOf("e", eventFields, baseUrl)}, e.run_of_show_published,
          e.ticketing_event_id is not null as ticketing_linked,
          json_build_object('id', c.id, 'name', c.name, 'city', c.city, 'status', c.status) as conference,
          iso8601(e.created_at) as created_at, iso8601(e.updated_at) as updated_at) item),
      'my_role', ${role}::text,
      'hosts', (select coalesce(json_agg(item), '[]') from (
        select h.id, h.name, h.slug, h.role, absolute_url(${baseUrl}, h.logo_url) as logo_url, h.website_url
        from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit ${maximumHosts}) item),
      'host_offer', (select row_to_json(item) from (
        select ${offerColumns} from ${offersOf(organizationId)} o where o.event_id = e.id) item),
      'proposal', (select row_to_json(item) from (
        select ${proposalColumns} from ${proposalsOf(organizationId)} p where p.event_id = e.id) item),
      'cancelled_at', iso8601(e.cancelled_at),
      'guests', json_build_object(
        'pending', coalesce(t.pending, 0), 'approved', coalesce(t.approved, 0),
        'waitlisted', coalesce(t.waitlisted, 0), 'declined', coalesce(t.declined, 0),
        'checked_in', coalesce(t.checked_in, 0)),
      'posters', (select row_to_json(counts) from ${posterCounts(sql`e.id`)} counts),
      'speakers', (
        select json_build_object('all', count(*), 'without_photo', count(*) filter (where s.photo_url is null))
        from speakers s where s.event_id = e.id),
      'segments', (select count(*) from segments g where g.event_id = e.id))::text as page
    from events e join conferences c on c.id = e.conference_id left join rosters t on t.event_id = e.id
    where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row.page;
}

const shownCandidates = 10;

/**
 * Organizations that can become hosts of an event: the one with exactly this slug, which add_event_cohost would name as
 * well, and those known from the same conferences whose name has the words.
 */
export async function findHostCandidates(
  db: Queryable,
  caller: OrganizationCaller,
  query: string,
  baseUrl: string,
): Promise<string> {
  const slug = query.trim().toLowerCase();
  const columns = sql`o.id, o.name, o.slug, absolute_url(${baseUrl}, o.logo_url) as logo_url`;
  const [row] = await db.query<{ found: string }>(sql`
    select json_build_object('organizations', coalesce(json_agg(item), '[]'))::text as found from (
      select ${columns} from organizations o where o.slug = ${slug}
      union all
      select * from (
        select ${columns} from ${fellowOrganizations(caller)} o
        where o.slug <> ${slug} and ${matchesWords(sql`search_text(o.name)`, query)}
        order by o.name, o.id limit ${shownCandidates}) fellows
      limit ${shownCandidates}) item`);
  return row?.found ?? "";
}

/**
 * Records in the history of an organization that an event was offered to it, or no longer is. The organization that answers has
 * a record of its own, and one that becomes the host without being asked finds that change.
 */
export async function recordForRecipient(
  tx: Queryable,
  eventId: string,
  caller: OrganizationCaller | PlatformCaller,
  current: OfferedChange,
  proposed: OfferedChange,
): Promise<void> {
  const [before, after] = [current.offer, proposed.offer];
  if (before?.to.id === after?.to.id) return;
  const callerId = caller.tier === "organization" ? caller.organizationId : null;
  const host = proposed.hosts.find(({ role }) => role === "host");
  const isInformed = (id: string) => id === callerId || id === host?.id;
  const event = { id: eventId, name: await getEventName(tx, eventId) };
  if (before !== null && !isInformed(before.to.id)) await recordOffer(tx, caller, "withdrawn", { ...before, event });
  if (after !== null && !isInformed(after.to.id)) await recordOffer(tx, caller, "received", { ...after, event });
}
