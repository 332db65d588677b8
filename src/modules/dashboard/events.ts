import sql, { join, raw, type Sql } from "sql-template-tag";
import { listedAttentionOf } from "../../../contract/attention.js";
import type { DashboardEvent, eventListFilters } from "../../../contract/console/organization.js";
import type { EventSort } from "../../../contract/orders.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { eventsAroundNow, hostedEvents, visibleConferences } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import {
  comesAfterIn,
  type Direction,
  type KeysetPage,
  type Position,
  readPage,
} from "../../infra/database/keyset-page.js";
import { inlined } from "../../infra/database/statement-names.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import { posterCounts } from "../posters/store.js";

type Filters = FilterValues<typeof eventListFilters>;
type PageRequest = { cursor?: string | undefined; limit: number };

/** How many events are checked for what needs attention, nearest first. */
const watchedEvents = 200;

/** An event is past when it has ended, or when it started longer ago: so not every past event is looked at. */
const longest = sql`interval '31 days'`;

/** Conditions on a row v of the visible events and its row e of events. */
const conditions: Conditions<typeof eventListFilters> = {
  when: (when) =>
    when === "upcoming"
      ? sql`v.start_time > now() - ${longest} and e.end_time > now()`
      : sql`v.start_time <= now() and (e.end_time <= now() or v.start_time <= now() - ${longest})`,
  conference: (id) => sql`v.conference_id = ${id}`,
  from: (time) => sql`v.start_time >= ${time}::timestamptz`,
  until: (time) => sql`v.start_time < ${time}::timestamptz`,
  status: (status) => sql`e.status = ${status}`,
  // Which events these are is decided before: see readEvents.
  needs: () => sql`true`,
};

type Order = {
  columns: [column: Sql, type: string][];
  direction: Direction;
  /** Whether an index serves it, however many events there are. */
  isIndexed?: true;
};

/** What a list is in the order of, on rows v, e and t, the event's counts of guests. */
const orders: Record<EventSort, Order> = {
  earliest: { columns: [[sql`v.start_time`, "timestamptz"]], direction: "asc", isIndexed: true },
  latest: { columns: [[sql`v.start_time`, "timestamptz"]], direction: "desc", isIndexed: true },
  name: { columns: [[sql`lower(e.name) collate "C"`, "text"]], direction: "asc" },
  guests: {
    columns: [
      [sql`coalesce(t.approved, 0)`, "int"],
      [sql`v.start_time`, "timestamptz"],
    ],
    direction: "desc",
  },
};

/** The events that an organization hosts, with what each needs. */
export async function readEvents(
  db: Queryable,
  caller: OrganizationCaller,
  { sort, ...filters }: Filters & { sort: EventSort },
  query: PageRequest,
): Promise<KeysetPage> {
  const needy = filters.needs === undefined ? undefined : needyOf(await readNextEvents(db, caller)).map(({ id }) => id);
  const page = await readPage(db, ["console events", filters, sort], query, (after, limit) =>
    selectEvents(caller, filters, { sort, among: needy }, after, limit),
  );
  return { ...page, items: page.items.map((item) => JSON.stringify(withNeeds(JSON.parse(item)))) };
}

/** The events that run or come next, as many as are checked for what they need. */
export async function readNextEvents(db: Queryable, caller: OrganizationCaller): Promise<DashboardEvent[]> {
  const found = await db.query<{ item: string }>(
    selectEvents(caller, { when: "upcoming" }, { sort: "earliest" }, null, watchedEvents),
  );
  return found.map(({ item }) => withNeeds(JSON.parse(item)));
}

export const needyOf = (events: DashboardEvent[]): DashboardEvent[] => events.filter(({ needs }) => needs.length > 0);

type StoredEvent = Omit<DashboardEvent, "needs"> & { has_segments: boolean };

function withNeeds(stored: StoredEvent): DashboardEvent {
  const { has_segments: _, ...event } = stored;
  return { ...event, needs: listedAttentionOf(stored) };
}

/**
 * In the order of time, an index serves every page. Other orders, and conditions on the event itself, are looked for among the
 * nearest events only: an organization may host tens of thousands.
 */
function selectEvents(
  caller: OrganizationCaller,
  filters: Filters,
  { sort, among }: { sort: EventSort; among?: string[] | undefined },
  after: Position | null,
  limit: number,
): Sql {
  const { columns: given, direction, isIndexed } = orders[sort];
  const columns = [...given, [sql`v.id`, "uuid"] as const];
  const isBounded = isIndexed !== true || filters.status !== undefined || among !== undefined;
  const visible = isBounded ? eventsAroundNow(caller.organizationId) : hostedEvents(caller.organizationId);
  const names = join(columns.map(([column]) => column));
  const beyond = comesAfterIn(
    direction,
    names,
    after,
    columns.map(([, type]) => type),
  );
  const position = columns.map(([column, type]) =>
    type === "timestamptz" ? sql`iso8601(${column})` : sql`${column}::text`,
  );
  const ordered = join(columns.map(([column]) => sql`${column} ${raw(direction)}`));
  return sql`
    select row_to_json(item)::text as item, page.position
    from (
      select v.id, v.role, array[${join(position)}] as position, row_number() over (order by ${ordered}) as place
      from ${visible} v, lateral (select * from events where id = v.id limit 1) e
      left join lateral (select * from rosters where event_id = e.id limit 1) t on true
      where ${filterConditions(conditions, filters)} and ${among === undefined ? sql`true` : sql`v.id = any(${among}::uuid[])`}
        and ${beyond}
      order by ${ordered} limit ${inlined(limit)}) page
    join events e on e.id = page.id join conferences c on c.id = e.conference_id
    left join lateral (select * from rosters where event_id = e.id limit 1) t on true,
    ${posterCounts(sql`e.id`)} posters,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.venue, e.status,
        page.role, e.capacity, coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved,
        coalesce(t.waitlisted, 0) as waitlisted, coalesce(t.checked_in, 0) as checked_in, e.run_of_show_published,
        exists (select from segments s where s.event_id = e.id) as has_segments, row_to_json(posters) as posters,
        json_build_object('id', c.id, 'name', c.name, 'city', c.city, 'start_date', c.start_date, 'end_date', c.end_date)
          as conference) item
    order by page.place`;
}

const shownConferences = 200;

/** The conferences in which an organization hosts events, the latest first. */
export async function listHostedConferences(db: Queryable, caller: OrganizationCaller) {
  return db.query<{ id: string; name: string }>(sql`
    select c.id, c.name from (
      select v.id, v.start_date from ${visibleConferences(caller)} v order by v.start_date desc, v.id limit ${inlined(shownConferences)}) v,
      lateral (select id, name from conferences where id = v.id limit 1) c
    order by v.start_date desc, v.id`);
}
