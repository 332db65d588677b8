import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { isVisible, visibleConferences, visibleEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined } from "../../infra/database/statement-names.js";
import { uuidPattern } from "../../infra/ids.js";
import { isPartOfName } from "../conferences/store.js";

export type HostedConference = {
  id: string;
  name: string;
  slug: string;
  city: string;
  start_date: string;
  end_date: string;
  timezone: string;
  /** How many of its events the organization hosts, up to `countedEvents`. */
  events: number;
};

const shownConferences = 5;
/** How many conferences a name is looked for in, the latest first. */
const namedConferences = 1_000;
const countedEvents = 1_000;

/** The conferences that run or are to come and in which the organization hosts events, the next first. */
export function nextConferences(caller: OrganizationCaller): Sql {
  // Conferences do not take a year: what started earlier is over, and need not be looked at.
  return conferenceRows(
    caller,
    sql`
    select v.id, v.start_date from ${visibleConferences(caller)} v,
      lateral (select end_date from conferences where id = v.id limit 1) c
    where v.start_date > current_date - 366 and c.end_date >= current_date
    order by v.start_date, v.id limit ${inlined(shownConferences)}`,
  );
}

/** The conference that a caller names by id, slug, name or a part of them, or the next one. */
export async function getHostedConference(
  tx: Queryable,
  caller: OrganizationCaller,
  named: string,
): Promise<HostedConference> {
  const wanted = named.trim();
  const find = (selected: Sql) => tx.query<HostedConference>(conferenceRows(caller, selected));
  if (wanted.toLowerCase() === "next") {
    const [next] = await tx.query<HostedConference>(nextConferences(caller));
    if (next === undefined) throw await notFound(tx, caller, wanted);
    return next;
  }
  const exact = await find(selectNamed(caller, wanted));
  const found = exact.length > 0 ? exact : await find(selectByPart(caller, wanted));
  const [conference] = found;
  if (conference === undefined) throw await notFound(tx, caller, wanted);
  if (found.length > 1) throw severalConferences(wanted, found);
  return conference;
}

function severalConferences(wanted: string, found: HostedConference[]): ServiceError {
  return new ServiceError("conflict", `conference: several match ${wanted}; use a slug: ${slugsOf(found)}`);
}

function selectNamed(caller: OrganizationCaller, wanted: string): Sql {
  if (uuidPattern.test(wanted)) {
    return sql`select v.id, v.start_date from ${visibleConferences(caller)} v where v.id = ${wanted}`;
  }
  return sql`
    select c.id, c.start_date from conferences c
    where c.slug = ${wanted.toLowerCase()} and ${isVisible("conference", caller, sql`c.id`)}
    union
    (${selectLatest(caller, sql`lower(${wanted}) in (lower(c.name), lower(c.short_name))`)})`;
}

function selectByPart(caller: OrganizationCaller, wanted: string): Sql {
  return selectLatest(caller, isPartOfName(sql`c`, wanted));
}

/** Of the latest conferences, those that meet a condition on their row c. */
function selectLatest(caller: OrganizationCaller, condition: Sql): Sql {
  return sql`
    select v.id, v.start_date from (
      select v.* from ${visibleConferences(caller)} v order by v.start_date desc, v.id desc limit ${inlined(namedConferences)}) v,
      lateral (select slug, name, short_name from conferences where id = v.id limit 1) c
    where ${condition} limit ${inlined(shownConferences)}`;
}

function conferenceRows(caller: OrganizationCaller, selected: Sql): Sql {
  return sql`
    select c.id, c.name, c.slug, c.city, c.start_date::text as start_date, c.end_date::text as end_date, c.timezone, (
      select count(*)::int from (
        select from ${visibleEvents(caller)} e where e.conference_id = c.id limit ${inlined(countedEvents)}) counted) as events
    from (${selected}) found, lateral (select * from conferences where id = found.id limit 1) c
    order by found.start_date, found.id`;
}

async function notFound(tx: Queryable, caller: OrganizationCaller, wanted: string): Promise<ServiceError> {
  const next = await tx.query<HostedConference>(nextConferences(caller));
  const known =
    next.length === 0
      ? "none of its conferences is to come; leave conference out to see past events"
      : `the next are ${slugsOf(next)}`;
  const problem =
    wanted.toLowerCase() === "next"
      ? "Your organization has no next conference"
      : `Your organization hosts events in no conference with the id, slug or name ${wanted}`;
  return new ServiceError("not_found", `conference: ${problem}: ${known}`);
}

function slugsOf(conferences: HostedConference[]): string {
  return conferences.map(({ slug }) => slug).join(", ");
}
