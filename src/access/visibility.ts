import sql, { type Sql } from "sql-template-tag";
import type { Caller } from "./caller.js";

/**
 * The only author of what a caller sees. Each function gives a relation of the rows that the caller may see, with the
 * columns that lists filter and sort by; an index of 0001_foundation.sql serves each in its order. `listed` is true for
 * rows whose event and conference are approved or published: all else is unknown to everyone.
 */
export function visibleConferences(caller: Caller): Sql {
  switch (caller.tier) {
    case "super-admin":
      return sql`(select id, start_date from conferences where listed)`;
    case "conference":
      return sql`(select id, start_date from conferences where listed and id = ${caller.conferenceId})`;
    case "organization":
      // "offset 0" keeps the question to one look-up a row: joined, it would read every event that the organization hosts.
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

/** What an organization's keys see, for a statement that learns the organization itself. */
export function hostedEvents(organizationId: string | Sql): Sql {
  return sql`(
    select event_id as id, conference_id, category, start_time from event_hosts
    where listed and organization_id = ${organizationId})`;
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
