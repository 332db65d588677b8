import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import {
  type eventChanges,
  eventFields,
  type eventFilters,
  publicEventFields,
} from "../../../contract/schema/events.js";
import type { Actor, Caller } from "../../access/caller.js";
import { offerColumns, openOffers } from "../../access/hosting.js";
import { visibleEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfter, type Position } from "../../infra/database/keyset-page.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import { insertRecord } from "../../records/recorded-change.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { columnsOf } from "../../schema/columns.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import type { HostOffer } from "./host-store.js";

const conditions: Conditions<typeof eventFilters> = { category: (category) => sql`v.category = ${category}` };

export type EventList = { conferenceId: string; filters: FilterValues<typeof eventFilters> };

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
  const [row] = await queryNamed<{ name: string }>(
    tx,
    "get event name",
    sql`select name from events where id = ${eventId}`,
  );
  if (row === undefined) throw eventNotFound();
  return row.name;
}

/** Some of an event's editable fields. */
export type EventDetails = z.output<typeof eventChanges>;

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
  const [row] = await queryNamed<Required<EventDetails>>(
    tx,
    "find event details",
    sql`
    select ${columnsOf("e", eventFields, baseUrl)} from events e where e.id = ${eventId}`,
  );
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
