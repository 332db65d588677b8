import sql, { raw, type Sql } from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";
import { nameOf } from "../platform/database/statement-names.js";
import { ServiceError } from "../platform/errors.js";
import type { Caller } from "./caller.js";

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

/**
 * The organizations that a hosting organization may look for by the beginning of their name: those that host a listed
 * event of a conference in which it hosts one itself. All others stay unknown to it, except to those who have their slug.
 */
export function fellowOrganizations(organizationId: string): Sql {
  const hostsIn = (organization: Sql, conference: Sql) => sql`exists (
    select from event_hosts h
    where h.listed and h.organization_id = ${organization} and h.conference_id = ${conference} offset 0)`;
  return sql`(
    select o.* from organizations o where exists (
      select from hosted_conferences mine
      join hosted_conferences theirs on theirs.conference_id = mine.conference_id and theirs.organization_id = o.id
      where mine.organization_id = ${organizationId}
        and ${hostsIn(sql`mine.organization_id`, sql`mine.conference_id`)}
        and ${hostsIn(sql`theirs.organization_id`, sql`theirs.conference_id`)}))`;
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
  forbidden = `This key has no access to this ${noun}`,
): Row {
  if (row === undefined) throw new ServiceError("not_found", `${nouns[noun].name} not found`);
  if (!row.visible) throw new ServiceError("forbidden", forbidden);
  return row;
}

/** The text of a 403 where organizations act on events that they must host. */
export const notHosted = "Your organization neither hosts nor co-hosts this event";

export async function requireVisible(db: Queryable, caller: Caller, noun: Noun, id: string): Promise<void> {
  const statement = selectVisible(caller, noun, id);
  const [row] = await db.query<{ visible: boolean }>(statement, nameOf(`see ${noun}`, statement));
  requireVisibleRow(noun, row);
}

export function selectVisible(caller: Caller, noun: Noun, id: string): Sql {
  return sql`select ${isVisible(noun, caller, sql`n.id`)} as visible from ${listedRows(noun)} n where n.id = ${id}`;
}
