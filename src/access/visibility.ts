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
      return hostedConferences(caller.organizationId);
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
      return sql`(
        select event_id as id, conference_id, category, start_time from event_hosts
        where listed and organization_id = ${caller.organizationId})`;
  }
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

/** Walks the index from one conference to the next instead of reading every event that the organization hosts. */
function hostedConferences(organizationId: string): Sql {
  return sql`(
    with recursive hosted as (
      (select conference_id from event_hosts
        where listed and organization_id = ${organizationId} order by conference_id limit 1)
      union all
      select (select h.conference_id from event_hosts h
        where h.listed and h.organization_id = ${organizationId} and h.conference_id > hosted.conference_id
        order by h.conference_id limit 1)
      from hosted where hosted.conference_id is not null)
    select conference_id as id, (select c.start_date from conferences c where c.id = conference_id) as start_date
    from hosted where conference_id is not null)`;
}
