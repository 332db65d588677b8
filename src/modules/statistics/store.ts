import sql, { type Sql } from "sql-template-tag";
import {
  countedEvents,
  type Groups,
  listedDays,
  listedGroups,
  type Statistics,
} from "../../../contract/schema/statistics.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { requireVisible, visibleEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound } from "../../runner/known-ids.js";

/** What is counted: the events, and the clocks by which days are. */
type Counted = { eventIds: string[]; timezone: string; conference: { id: string; name: string } };

export async function readEventStatistics(tx: Queryable, eventId: string): Promise<Statistics> {
  const [event] = await queryNamed<Omit<Counted, "eventIds">>(tx, "get counted event")`
    select e.timezone, json_build_object('id', c.id, 'name', c.name) as conference
    from events e join conferences c on c.id = e.conference_id where e.id = ${eventId}`;
  if (event === undefined) throw eventNotFound();
  return readStatistics(tx, { ...event, eventIds: [eventId] });
}

/** Of the events of a conference that the organization hosts or co-hosts; others are not counted. */
export async function readConferenceStatistics(
  tx: Queryable,
  caller: OrganizationCaller,
  conferenceId: string,
): Promise<Statistics> {
  await requireVisible(tx, caller, "conference", conferenceId);
  const [conference] = await queryNamed<Counted>(tx, "get counted conference")`
    select c.timezone, json_build_object('id', c.id, 'name', c.name) as conference, array(
      select v.id::text from ${visibleEvents(caller)} v where v.conference_id = c.id
      order by v.start_time, v.id limit ${inlined(countedEvents)}) as "eventIds"
    from conferences c where c.id = ${conferenceId}`;
  if (conference === undefined) throw new Error("a conference that is seen has no row");
  return readStatistics(tx, conference);
}

type CountedGroup = {
  kind: "day" | "ticket" | "source" | "network";
  value: string | null;
  count: number;
  total: number;
};
type CountedGuests = Statistics["guests"] & { started: { events: number; approved: number; checked_in: number } };

/** Three statements, whatever the number of events and guests: each reads the rows of these events by an index. */
async function readStatistics(tx: Queryable, { eventIds, timezone, conference }: Counted): Promise<Statistics> {
  const events = sql`any (${eventIds}::uuid[])`;
  const [registered, posted, [guests]] = await Promise.all([
    queryNamed<CountedGroup>(tx, "count registrations by group")`${selectRegistrations(events, timezone)}`,
    queryNamed<CountedGroup>(tx, "count links by network")`
      select * from (
        select 'network' as kind, min(l.platform) as value, count(*)::int as count, (sum(count(*)) over ())::int as total
        from poster_links l where l.event_id = ${events} group by lower(l.platform)) counted
      order by count desc, value limit ${inlined(listedGroups)}`,
    queryNamed<CountedGuests>(tx, "count guests of events")`
      select coalesce(sum(t.pending), 0)::int as pending, coalesce(sum(t.approved), 0)::int as approved,
        coalesce(sum(t.waitlisted), 0)::int as waitlisted, coalesce(sum(t.declined), 0)::int as declined,
        coalesce(sum(t.checked_in), 0)::int as checked_in, json_build_object(
          'events', count(*) filter (where e.start_time <= now()),
          'approved', coalesce(sum(t.approved) filter (where e.start_time <= now()), 0),
          'checked_in', coalesce(sum(t.checked_in) filter (where e.start_time <= now()), 0)) as started
      from events e left join rosters t on t.event_id = e.id where e.id = ${events}`,
  ]);
  if (guests === undefined) throw new Error("an aggregate without a row");
  const { started, ...states } = guests;
  const ofKind = (kind: CountedGroup["kind"], rows = registered) => rows.filter((row) => row.kind === kind);
  const days = ofKind("day").toReversed();
  const total = days[0]?.total ?? 0;
  const links = ofKind("network", posted);
  return {
    conference,
    timezone,
    events: eventIds.length,
    guests: states,
    show_up: { ...started, rate: started.approved === 0 ? null : started.checked_in / started.approved },
    registrations: {
      total,
      days: days.map(({ value, count }) => ({ day: String(value), count })),
      earlier: total - sumOf(days),
      by_ticket: groupsOf(ofKind("ticket")),
      by_source: groupsOf(ofKind("source")),
    },
    posted_links: { total: links[0]?.total ?? 0, by_network: groupsOf(links) },
  };
}

/** All registrations by local day, by ticket and by source: the last days, and the largest groups. */
function selectRegistrations(events: Sql, timezone: string): Sql {
  return sql`
    with zone as materialized (select known_zone(${timezone}) as name),
    found as (
      select (r.registered_at at time zone zone.name)::date::text as day, left(nullif(btrim(r.ticket_type), ''), 80) as ticket,
        left(nullif(btrim(r.source), ''), 80) as source
      from registrations r, zone where r.event_id = ${events}),
    counted as (
      select case when grouping(day) = 0 then 'day' when grouping(ticket) = 0 then 'ticket' else 'source' end as kind,
        coalesce(day, ticket, source) as value, count(*)::int as count
      from found group by grouping sets ((day), (ticket), (source))),
    ranked as (
      select *, (sum(count) over (partition by kind))::int as total, row_number() over (
        partition by kind order by case when kind = 'day' then value end desc, count desc, value) as place
      from counted)
    select kind, value, count, total from ranked
    where place <= case when kind = 'day' then ${inlined(listedDays)} else ${inlined(listedGroups)} end
    order by kind, place`;
}

function groupsOf(rows: CountedGroup[]): Groups {
  const items = rows.map(({ value, count }) => ({ value, count }));
  return { items, other: (rows[0]?.total ?? 0) - sumOf(rows) };
}

const sumOf = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);
