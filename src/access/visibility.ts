import sql, { raw, type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { Queryable } from "../infra/database/db.js";
import { inlined, queryNamed } from "../infra/database/statement-names.js";
import type { Caller, OrganizationCaller } from "./caller.js";

/** Names what a caller sees: callers with the same view get the same responses. */
export function viewOf(caller: Caller): string {
  switch (caller.tier) {
    case "super-admin":
      return "all";
    case "conference":
      return `conference ${caller.conferenceId}`;
    case "organization":
      return `organization ${caller.organizationId}`;
  }
}

/**
 * The only author of what a caller sees. Each `visible…` function returns a relation of the rows that the caller may
 * see, with the columns that lists filter and sort by; an index of 0001_foundation.sql serves each in its order.
 * `listed` is true for rows whose event and conference are approved or published: nobody sees any other.
 */
export function visibleConferences(caller: Caller): Sql {
  switch (caller.tier) {
    case "super-admin":
      return sql`(select id, start_date from conferences where listed)`;
    case "conference":
      return sql`(select id, start_date from conferences where listed and id = ${caller.conferenceId})`;
    case "organization":
      // "offset 0" keeps the check one index look-up per row: flattened to a join, it would read every hosted event.
      return sql`(
        select c.conference_id as id, c.start_date from hosted_conferences c
        where c.organization_id = ${caller.organizationId} and exists (
          select from event_hosts h
          where h.listed and h.organization_id = c.organization_id and h.conference_id = c.conference_id offset 0))`;
  }
}

export function visibleEvents(caller: Caller): Sql {
  switch (caller.tier) {
    case "super-admin":
      return sql`(select id, conference_id, category, start_time from events where listed)`;
    case "conference":
      return sql`(
        select id, conference_id, category, start_time from events
        where listed and conference_id = ${caller.conferenceId})`;
    case "organization":
      return hostedEvents(caller.organizationId);
  }
}

/** What the keys of an organization see, with the organization's role; the id may be a column of the statement. */
export function hostedEvents(organizationId: string | Sql): Sql {
  return sql`(
    select event_id as id, conference_id, category, start_time, role from event_hosts
    where listed and organization_id = ${organizationId})`;
}

/** What an event that is not listed is to its host. */
export type UnlistedState = "proposed" | "cancelled";

/**
 * The state of an unlisted event e that its host still sees: a draft that it has proposed, or an event that it has cancelled.
 * Null for any other, which nobody sees. No list of `visibleEvents` has them.
 */
export function unlistedStateFor(organizationId: string): Sql {
  return sql`case
    when e.listed or not e.conference_listed or not exists (
      select from event_hosts h
      where h.event_id = e.id and h.organization_id = ${organizationId} and h.role = 'host') then null
    when e.status = 'archived' and e.cancelled_at is not null then 'cancelled'
    when e.status = 'draft' and exists (
      select from event_proposals p where p.event_id = e.id and p.organization_id = ${organizationId}) then 'proposed' end`;
}

/**
 * An organization may host tens of thousands of events. A view across all of them considers only the nearest in time: this
 * many that started last, and as many that start next (docs/decisions/scale.md).
 */
export const nearEvents = 1_000;

/** The events that started last and those that start next, with the columns of `hostedEvents`. */
export function eventsAroundNow(organizationId: string, { started = nearEvents, next = nearEvents } = {}): Sql {
  const hosted = hostedEvents(organizationId);
  return sql`(
    (select v.* from ${hosted} v where v.start_time <= now() order by v.start_time desc, v.id desc limit ${inlined(started)})
    union all
    (select v.* from ${hosted} v where v.start_time > now() order by v.start_time, v.id limit ${inlined(next)}))`;
}

/** How much is looked at to find the organizations that one may know, the newest conferences first. */
const nearConferences = 50;
const nearConferenceEvents = 5_000;

/**
 * The organizations that a hosting organization may look for by their name: those that host a listed event of a
 * conference in which it hosts one itself. All others stay unknown to it, except to those who have their slug.
 */
export function fellowOrganizations(caller: OrganizationCaller): Sql {
  // From the conferences to their hosts, one look-up each: the other way round, all organizations would be read.
  return sql`(
    select o.* from (
      select distinct h.organization_id as id from (
        select e.id from (
          select v.id from ${visibleConferences(caller)} v order by v.start_date desc, v.id limit ${inlined(nearConferences)}) c,
        lateral (
          select id from events where listed and conference_id = c.id
          order by start_time, id limit ${inlined(nearConferenceEvents)}) e
        limit ${inlined(nearConferenceEvents)}) e,
      lateral (select organization_id from event_hosts where event_id = e.id offset 0) h) k,
    lateral (select * from organizations where id = k.id limit 1) o)`;
}

export function visiblePosters(caller: Caller): Sql {
  switch (caller.tier) {
    case "super-admin":
      return sql`(select id, event_id, conference_id, published, sort_order, created_at from posters where listed)`;
    case "conference":
      return sql`(
        select id, event_id, conference_id, published, sort_order, created_at from posters
        where listed and conference_id = ${caller.conferenceId})`;
    case "organization":
      return sql`(
        select poster_id as id, event_id, conference_id, published, sort_order, created_at from hosted_posters
        where listed and organization_id = ${caller.organizationId})`;
  }
}

const nouns = {
  conference: { name: "Conference", table: raw("conferences"), visible: visibleConferences },
  event: { name: "Event", table: raw("events"), visible: visibleEvents },
  poster: { name: "Poster", table: raw("posters"), visible: visiblePosters },
};

type Noun = keyof typeof nouns;

/** The rows of a table that somebody may see: any other row is not found, whoever asks. */
export function listedRows(noun: Noun): Sql {
  return sql`(select * from ${nouns[noun].table} where listed)`;
}

/** Whether this caller sees the row with this id: a column for `requireVisibleRow`. */
export function isVisible(noun: Noun, caller: Caller, id: Sql): Sql {
  return sql`exists (select from ${nouns[noun].visible(caller)} v where v.id = ${id})`;
}

/**
 * The one choice between 404 and 403: a row that nobody sees (`listedRows` leaves it out) is not found, one that this
 * caller does not see is forbidden.
 */
export function requireVisibleRow<Row extends { visible: boolean }>(
  noun: Noun,
  row: Row | undefined,
  { forbidden = `This key has no access to this ${noun}`, advice = "" } = {},
): Row {
  if (row === undefined) throw new ServiceError("not_found", `${nouns[noun].name} not found${advice}`);
  if (!row.visible) throw new ServiceError("forbidden", forbidden + advice);
  return row;
}

/** The text of a 403 where organizations act on events that they must host. */
export const notHosted = "Your organization neither hosts nor co-hosts this event";

export async function requireVisible(db: Queryable, caller: Caller, noun: Noun, id: string): Promise<void> {
  requireVisibleRow(noun, await findVisible(db, caller, noun, id));
}

/** For filters, where a row that nobody sees is no error: whether there is the row. One that only others see is forbidden. */
export async function requireVisibleIfKnown(db: Queryable, caller: Caller, noun: Noun, id: string): Promise<boolean> {
  const row = await findVisible(db, caller, noun, id);
  if (row !== undefined) requireVisibleRow(noun, row);
  return row !== undefined;
}

async function findVisible(db: Queryable, caller: Caller, noun: Noun, id: string) {
  const [row] = await queryNamed<{ visible: boolean }>(db, `see ${noun}`)`${selectVisible(caller, noun, id)}`;
  return row;
}

export function selectVisible(caller: Caller, noun: Noun, id: string): Sql {
  return sql`select ${isVisible(noun, caller, sql`n.id`)} as visible from ${listedRows(noun)} n where n.id = ${id}`;
}
