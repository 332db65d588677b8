import sql, { join, type Sql } from "sql-template-tag";
import { platformKey } from "../../../contract/schema/posters.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { nearEvents, visibleEvents } from "../../access/visibility.js";
import { rowsWithin } from "../../infra/bounded.js";
import type { Queryable } from "../../infra/database/db.js";
import { decodeCursor, encodeCursor, type Position, throwAfter } from "../../infra/database/keyset-page.js";
import { inlined } from "../../infra/database/statement-names.js";
import { matchesBeginnings, matchesWords } from "../../infra/database/text-search.js";
import { isPosted, posterCounts } from "../posters/store.js";
import { type EventLine, type EventRow, lineOf } from "./event-line.js";

/** What the events of an organization can be filtered by. Dates are those of an event's start in its own time zone. */
export type EventFilter = {
  conferenceId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  name?: string | undefined;
  pendingGuests?: boolean | undefined;
  notPostedOn?: string | undefined;
};

/** The value of `notPostedOn` that stands for all platforms, compared like their names. */
export const anywhere = "anywhere";

export type EventLinePage = { lines: EventLine[]; nextCursor: string | null };

/** The most upcoming and the most past events that one page reads; it then ends even if it is not full. */
export const scannedEvents = 2_000;
/** The most events, across all organizations, whose name matches that are considered. */
const farMatches = 1_000;
export const maximumLines = 100;
const shownSpeakers = 8;
const shownBytes = 40_000;

/**
 * A page of events, one line each: those that run, those to come, the next first, and those that are over, the last first.
 * What runs and what is over is decided by the time of the first page, which cursors contain.
 */
export async function readEventLines(
  tx: Queryable,
  caller: OrganizationCaller,
  filter: EventFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<EventLinePage> {
  const list = ["event lines", caller.organizationId, filter];
  const position = cursor === undefined ? null : decodeCursor(cursor, list);
  const search = { caller, filter, after: startOf(position), limit };
  const [found, ends] = await Promise.all([findLines(tx, search), findWindowEnds(tx, search)]).catch((error: unknown) =>
    throwAfter(position, error),
  );
  // What comes after the end of a part that was not looked at to its end belongs to a later page.
  const end = ends[0];
  const inOrder = found.filter((line) => end === undefined || compare(line, end) <= 0).sort(compare);
  const page = rowsWithin(inOrder.slice(0, limit), shownBytes);
  const last = page.length < inOrder.length ? page.at(-1) : end;
  return {
    lines: page.map(({ item }) => lineOf(item)),
    nextCursor: last === undefined ? null : encodeCursor(positionOf(search.after.asOf, last), list),
  };
}

/** A place in the list. */
type Place = { part: number; start_time: string; id: string };

type FoundLine = Place & { item: EventRow };

/** Where a page starts: after a place, or at the beginning of the list. */
type Start = { asOf: string; place: Place | undefined };

type Search = { caller: OrganizationCaller; filter: EventFilter; after: Start; limit: number };

const running = { part: 0, order: sql`v.start_time, v.id`, beyond: sql`>` };
const coming = { part: 1, order: sql`v.start_time, v.id`, beyond: sql`>` };
const past = { part: 2, order: sql`v.start_time desc, v.id desc`, beyond: sql`<` };

/** The parts of the list, in its order. */
const parts = [running, coming, past];

type Part = (typeof parts)[number];

function startOf(position: Position | null): Start {
  if (position === null) return { asOf: new Date().toISOString(), place: undefined };
  const [asOf = "", part = "", start_time = "", id = ""] = position;
  return { asOf, place: { part: Number(part), start_time, id } };
}

function positionOf(asOf: string, { part, start_time, id }: Place): Position {
  return [asOf, String(part), start_time, id];
}

function compare(one: Place, other: Place): number {
  if (one.part !== other.part) return one.part - other.part;
  const later = one.start_time === other.start_time ? one.id > other.id : one.start_time > other.start_time;
  return one.id === other.id ? 0 : later === (one.part !== past.part) ? 1 : -1;
}

/** The first lines of each part, and those that a search by name finds in all events; more than a page has, in no order. */
async function findLines(tx: Queryable, search: Search): Promise<FoundLine[]> {
  const { filter, after } = search;
  const selected = [
    ...remainingParts(after).map((part) => selectPart(part, search)),
    ...(filter.name === undefined ? [] : [selectFar(search, filter.name)]),
  ];
  const statement = selectLines(
    filter,
    join(
      selected.map((part) => sql`(${part})`),
      " union ",
    ),
  );
  // Without a name: which plan is the best depends on how many events the organization hosts.
  return tx.query<FoundLine>(statement);
}

/**
 * Where the parts end for this page that have more events than it may look at. Only a filter that leaves events out comes
 * that far; a search by name goes on in all events instead.
 */
async function findWindowEnds(tx: Queryable, { caller, filter, after }: Search): Promise<Place[]> {
  const { pendingGuests, notPostedOn, from, to, name } = filter;
  if ((pendingGuests ?? notPostedOn ?? from ?? to) === undefined || name !== undefined) return [];
  const ends = remainingParts(after)
    .filter((part) => part !== running)
    .map((part) =>
      tx.query<Place>(sql`
        select ${inlined(part.part)} as part, iso8601(v.start_time) as start_time, v.id
        from ${windowOf(part, { caller, filter, after })} v order by ${part.order} offset ${inlined(scannedEvents - 1)}`),
    );
  return (await Promise.all(ends)).flat();
}

function remainingParts({ place }: Start): Part[] {
  return parts.filter(({ part }) => part >= (place?.part ?? 0));
}

/** The events of a part that a page looks at. */
function windowOf(part: Part, { caller, filter, after }: Omit<Search, "limit">): Sql {
  const { asOf, place } = after;
  const inTime = part === coming ? sql`v.start_time > ${asOf}::timestamptz` : sql`v.start_time <= ${asOf}::timestamptz`;
  const isBeyond =
    place?.part !== part.part || part === running
      ? sql`true`
      : sql`(v.start_time, v.id) ${part.beyond} (${place.start_time}::timestamptz, ${place.id}::uuid)`;
  const [order, size] = part === running ? [past.order, nearEvents] : [part.order, scannedEvents];
  return sql`(
    select v.* from ${visibleEvents(caller)} v where ${inTime} and ${rangeOf(filter)} and ${isBeyond}
    order by ${order} limit ${inlined(size)})`;
}

/** The first events of a part. */
function selectPart(part: Part, search: Search): Sql {
  const { filter, limit } = search;
  const named = filter.name === undefined ? sql`true` : matchesWords(sql`e.search_text`, filter.name);
  return sql`
    select v.id, v.role, v.start_time, ${inlined(part.part)} as part
    from ${windowOf(part, search)} v, lateral (select * from events where id = v.id limit 1) e
    where ${belongsTo(part, search)} and ${named} and ${conditionsOf(filter)}
    order by ${part.order} limit ${inlined(limit + 1)}`;
}

/**
 * Whether an event v, e that has started is in the part. One that still runs although as many others have started since as
 * are looked at counts as past: to find it, all past events would have to be read.
 */
function belongsTo(part: Part, { caller, filter, after }: Search): Sql {
  const { asOf, place } = after;
  if (part === coming) return sql`true`;
  if (part === running) {
    const isBeyond =
      place?.part === running.part
        ? sql`(v.start_time, v.id) > (${place.start_time}::timestamptz, ${place.id}::uuid)`
        : sql`true`;
    return sql`e.end_time > ${asOf}::timestamptz and ${isBeyond}`;
  }
  return sql`(e.end_time <= ${asOf}::timestamptz or (v.start_time, v.id) < (
    select v.start_time, v.id from ${visibleEvents(caller)} v
    where v.start_time <= ${asOf}::timestamptz and ${rangeOf(filter)}
    order by ${past.order} offset ${inlined(nearEvents - 1)} limit 1))`;
}

/** The first events anywhere in the list that have words which begin with those of the name. */
function selectFar({ caller, filter, after, limit }: Search, name: string): Sql {
  const { asOf, place } = after;
  const part = sql`case when v.start_time > ${asOf}::timestamptz then ${inlined(coming.part)}
    when e.end_time > ${asOf}::timestamptz then ${inlined(running.part)} else ${inlined(past.part)} end`;
  const isPast = sql`found.part = ${inlined(past.part)}`;
  const isBeyond =
    place === undefined
      ? sql`true`
      : sql`(found.part > ${place.part}::int or found.part = ${place.part}::int and case when ${isPast}
          then (found.start_time, found.id) < (${place.start_time}::timestamptz, ${place.id}::uuid)
          else (found.start_time, found.id) > (${place.start_time}::timestamptz, ${place.id}::uuid) end)`;
  return sql`
    select found.* from (
      select v.id, v.role, v.start_time, ${part} as part
      from (select * from events e where ${matchesBeginnings(sql`e.search_text`, name)} limit ${inlined(farMatches)}) e,
        lateral (select v.* from ${visibleEvents(caller)} v where v.id = e.id limit 1) v
      where ${rangeOf(filter)} and ${conditionsOf(filter)}) found
    where ${isBeyond}
    order by found.part, case when ${isPast} then now() - found.start_time else found.start_time - now() end,
      case when not ${isPast} then found.id end, found.id desc limit ${inlined(limit + 1)}`;
}

/** The conditions that an index serves, on a row v of visible events. Dates allow for any time zone. */
function rangeOf({ conferenceId, from, to }: EventFilter): Sql {
  return join(
    [
      sql`true`,
      ...(conferenceId === undefined ? [] : [sql`v.conference_id = ${conferenceId}`]),
      ...(from === undefined ? [] : [sql`v.start_time >= ${from}::date - interval '1 day'`]),
      ...(to === undefined ? [] : [sql`v.start_time < ${to}::date + interval '2 days'`]),
    ],
    " and ",
  );
}

/** The other conditions, on rows v and e of the same event, each one look-up. */
function conditionsOf({ from, to, pendingGuests, notPostedOn }: EventFilter): Sql {
  const startDate = sql`local_date(e.start_time, e.timezone)`;
  return join(
    [
      sql`true`,
      ...(from === undefined ? [] : [sql`${startDate} >= ${from}::date`]),
      ...(to === undefined ? [] : [sql`${startDate} <= ${to}::date`]),
      ...(pendingGuests === undefined
        ? []
        : [
            sql`exists (select from rosters t where t.event_id = v.id and t.pending > 0 offset 0) = ${pendingGuests}::boolean`,
          ]),
      ...(notPostedOn === undefined
        ? []
        : [
            sql`exists (
              select from posters p where p.event_id = v.id and p.published and not ${isPosted(sql`p.id`, platformOf(notPostedOn))} offset 0)`,
          ]),
    ],
    " and ",
  );
}

function platformOf(notPostedOn: string | undefined): string | undefined {
  return notPostedOn === undefined || platformKey(notPostedOn) === anywhere ? undefined : notPostedOn;
}

/** What is shown of the selected events. */
function selectLines({ notPostedOn }: EventFilter, selected: Sql): Sql {
  return sql`
    select page.part, iso8601(page.start_time) as start_time, page.id, row_to_json(item) as item
    from (${selected}) page, lateral (select * from events where id = page.id limit 1) e,
      lateral (select short_name from conferences where id = e.conference_id limit 1) c
    left join lateral (select * from rosters where event_id = page.id limit 1) t on true,
    ${posterCounts(sql`page.id`, platformOf(notPostedOn))} posters,
    lateral (
      select e.id, e.name, c.short_name as conference, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time,
        e.timezone, e.venue, e.status, page.role, e.capacity, e.run_of_show_published,
        json_build_object('pending', coalesce(t.pending, 0), 'approved', coalesce(t.approved, 0),
          'waitlisted', coalesce(t.waitlisted, 0), 'declined', coalesce(t.declined, 0),
          'checked_in', coalesce(t.checked_in, 0)) as guests,
        row_to_json(posters) as posters,
        array(select left(s.name, 80) from speakers s where s.event_id = e.id order by s.position, s.id
          limit ${inlined(shownSpeakers)}) as speakers,
        (select count(*) from speakers s where s.event_id = e.id) as speaker_count) item`;
}
