import sql from "sql-template-tag";
import { eventFields } from "../../../contract/schema/events.js";
import { speakerFields } from "../../../contract/schema/speakers.js";
import { leftOut, shortText } from "../../../contract/shortened.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { hostOrder, hostsOf, offerColumns, offersOf } from "../../access/hosting.js";
import { rowsWithin } from "../../infra/bounded.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { columnsOf } from "../../schema/columns.js";
import { markStale, type PosterFacts } from "../posters/rules.js";
import { factsNow } from "../posters/store.js";
import type { HostOffer } from "./host-store.js";

type RowList = { id: string }[];

export type EventSnapshot = {
  event: { id: string; name: string; description: string | null };
  hosts: { organization_id: string; role: string }[];
  /** The open offer to hand the event over, if the organization made or received it. */
  host_offer?: HostOffer;
  speakers: RowList;
  posters: RowList;
  run_of_show: { published: boolean; segments: RowList };
  registration_counts: Record<string, number>;
  /** How many rows of each list did not fit. */
  left_out?: Record<string, number>;
};

/** The same as it is read. */
type SnapshotRow = Omit<EventSnapshot, "host_offer" | "posters"> & {
  host_offer: HostOffer | null;
  posters: { id: string; drawn_from: PosterFacts | null }[];
  totals: Totals;
  facts: PosterFacts;
};

type Totals = { hosts: number; speakers: number; posters: number; segments: number };

const shownRows = 200;
const shownBytes = { hosts: 5_000, speakers: 30_000, posters: 9_000, segments: 10_000 };
const shownDescription = 2000;

/** What an organizer needs to see of an event, in one round trip; the roster has its own list. */
export async function getEventSnapshot(
  tx: Queryable,
  eventId: string,
  { organizationId }: OrganizationCaller,
  baseUrl: string,
): Promise<EventSnapshot> {
  const [row] = await queryNamed<SnapshotRow>(tx, "get event snapshot")`
    select
      (select row_to_json(item) from (
        select e.id, ${columnsOf("e", eventFields, baseUrl)}, e.ticketing_event_id, e.conference_id,
          c.name as conference, iso8601(e.created_at) as created_at, iso8601(e.updated_at) as updated_at
        from conferences c where c.id = e.conference_id) item) as event,
      (select coalesce(json_agg(item), '[]') from (
        select h.id as organization_id, h.name, h.slug, h.role, h.position
        from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit ${inlined(shownRows)}) item) as hosts,
      (select row_to_json(item) from (
        select ${offerColumns} from ${offersOf(organizationId)} o where o.event_id = e.id) item) as host_offer,
      (select coalesce(json_agg(item), '[]') from (
        select s.id, ${columnsOf("s", speakerFields, baseUrl)}
        from speakers s where s.event_id = e.id order by s.position, s.id limit ${inlined(shownRows)}) item) as speakers,
      (select coalesce(json_agg(item), '[]') from (
        select p.id, p.title, p.published, absolute_url(${baseUrl}, p.image_url) as image_url,
          array(select jsonb_object_keys(p.posted_urls) order by 1) as posted_to, p.drawn_from
        from posters p where p.event_id = e.id order by p.sort_order, p.created_at, p.id limit ${inlined(shownRows)}) item) as posters,
      json_build_object('published', e.run_of_show_published, 'segments', (
        select coalesce(json_agg(item), '[]') from (
          select g.id, g.title, g.kind, iso8601(g.start_time) as start_time, g.duration_minutes, g.location
          from segments g where g.event_id = e.id order by g.start_time, g.position, g.id limit ${inlined(shownRows)}) item)) as run_of_show,
      json_build_object(
        'pending', coalesce(t.pending, 0), 'approved', coalesce(t.approved, 0),
        'waitlisted', coalesce(t.waitlisted, 0), 'declined', coalesce(t.declined, 0),
        'checked_in', coalesce(t.checked_in, 0)) as registration_counts,
      json_build_object(
        'hosts', (select count(*) from ${hostsOf(sql`e.id`)} h),
        'speakers', (select count(*) from speakers where event_id = e.id),
        'posters', (select count(*) from posters where event_id = e.id),
        'segments', (select count(*) from segments where event_id = e.id)) as totals,
      ${factsNow} as facts
    from events e left join rosters t on t.event_id = e.id where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return shownOf(row);
}

function shownOf({ totals, facts, ...row }: SnapshotRow): EventSnapshot {
  const hosts = rowsWithin(row.hosts, shownBytes.hosts);
  const speakers = rowsWithin(row.speakers, shownBytes.speakers);
  const posters = rowsWithin(markStale(row.posters, facts), shownBytes.posters);
  const segments = rowsWithin(row.run_of_show.segments, shownBytes.segments);
  return {
    event: { ...row.event, description: shortText(row.event.description, shownDescription) },
    hosts,
    ...(row.host_offer === null ? {} : { host_offer: row.host_offer }),
    speakers,
    posters,
    run_of_show: { ...row.run_of_show, segments },
    registration_counts: row.registration_counts,
    ...leftOut({
      hosts: { shown: hosts.length, total: totals.hosts },
      speakers: { shown: speakers.length, total: totals.speakers },
      posters: { shown: posters.length, total: totals.posters },
      segments: { shown: segments.length, total: totals.segments },
    }),
  };
}
