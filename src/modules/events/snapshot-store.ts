import sql from "sql-template-tag";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";

type Rows = { id: string }[];

export type EventSnapshot = {
  event: { id: string; name: string };
  hosts: Rows;
  speakers: Rows;
  posters: Rows;
  run_of_show: { published: boolean; segments: Rows };
  registration_counts: Record<string, number>;
};

const shownRows = 100;

/** All that an organizer needs to see of an event, in one round trip; the roster has a list of its own. */
export async function getEventSnapshot(tx: Queryable, eventId: string, baseUrl: string): Promise<EventSnapshot> {
  const [row] = await tx.query<EventSnapshot>(sql`
    select
      (select row_to_json(item) from (
        select e.id, e.name, e.description, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time,
          e.timezone, e.venue, e.venue_address, e.status, e.category, e.tier, e.capacity, e.luma_url,
          e.ticketing_event_id, absolute_url(${baseUrl}, e.tile_image_url) as tile_image_url, e.conference_id,
          c.name as conference, iso8601(e.updated_at) as updated_at
        from conferences c where c.id = e.conference_id) item) as event,
      (select coalesce(json_agg(item), '[]') from (
        select o.id, o.name, o.slug, h.role from event_hosts h join organizations o on o.id = h.organization_id
        where h.event_id = e.id order by h.role = 'host' desc, h.position limit ${shownRows}) item) as hosts,
      (select coalesce(json_agg(item), '[]') from (
        select s.id, s.name, s.title, s.company, s.role from speakers s
        where s.event_id = e.id order by s.position, s.id limit ${shownRows}) item) as speakers,
      (select coalesce(json_agg(item), '[]') from (
        select p.id, p.title, p.published, absolute_url(${baseUrl}, p.image_url) as image_url, p.posted_urls
        from posters p where p.event_id = e.id order by p.sort_order, p.created_at, p.id limit ${shownRows}) item) as posters,
      json_build_object('published', e.run_of_show_published, 'segments', (
        select coalesce(json_agg(item), '[]') from (
          select g.id, g.title, g.kind, iso8601(g.start_time) as start_time, g.duration_minutes, g.location
          from segments g where g.event_id = e.id order by g.position, g.id limit ${shownRows}) item)) as run_of_show,
      json_build_object(
        'pending', coalesce(t.pending, 0), 'approved', coalesce(t.approved, 0),
        'waitlisted', coalesce(t.waitlisted, 0), 'declined', coalesce(t.declined, 0),
        'checked_in', coalesce(t.checked_in, 0)) as registration_counts
    from events e left join rosters t on t.event_id = e.id where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row;
}
