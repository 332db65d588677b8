import type { ListName } from "./lists.js";

/** A list of rows as JSON without line breaks: json_agg would put each on a line of its own. */
const listOf = (row: string, order: string, rest: string) =>
  `(select ('[' || coalesce(string_agg(${row}::text, ',' order by ${order}), '') || ']')::json ${rest})`;

const objectOf = (columns: string) => `(select row_to_json(item) from (select ${columns}) item)`;

/**
 * One query a list; each answers one column `row`, the JSON text of a row with its fields in the order of the format.
 * The order of rows rests on what an import keeps, compared byte by byte: it is the same in every database.
 */
export const exportQueries: Record<ListName, string> = {
  users: `
    select row_to_json(r)::text as row
    from (select id, email, name, platform_admin from users order by lower(email) collate "C") r`,

  organizations: `
    select row_to_json(r)::text as row
    from (
      select id, name, slug, description, website_url, contact_email, social_links, logo_url, logo_dark_url,
        brand_primary_color, brand_secondary_color,
        ${listOf(
          objectOf("u.email, m.role"),
          `lower(u.email) collate "C"`,
          "from members m join users u on u.id = m.user_id where m.organization_id = o.id",
        )} as members
      from organizations o order by slug collate "C"
    ) r`,

  conferences: `
    select row_to_json(r)::text as row
    from (
      select id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category,
        banner_thumbnail_url, iso8601(created_at) as created_at
      from conferences order by slug collate "C"
    ) r`,

  events: `
    select row_to_json(r)::text as row
    from (
      select e.id, c.slug as conference, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time,
        e.timezone, e.venue, e.venue_address, e.status, e.category, e.tier, e.description, e.luma_url,
        e.ticketing_event_id, e.tile_image_url, e.capacity, e.run_of_show_published,
        iso8601(e.created_at) as created_at,
        ${listOf(
          objectOf("o.slug as organization, h.role"),
          "h.position, h.organization_id",
          "from event_hosts h join organizations o on o.id = h.organization_id where h.event_id = e.id",
        )} as hosts
      from events e join conferences c on c.id = e.conference_id
      order by e.start_time, e.id
    ) r`,

  posters: `
    select row_to_json(r)::text as row
    from (
      select id, event_id as event, image_url, thumbnail_url, title, published, sort_order + 0 as sort_order, metadata,
        posted_urls, iso8601(created_at) as created_at
      from posters p order by p.event_id, p.sort_order, p.created_at, p.id
    ) r`,

  speakers: `
    select row_to_json(r)::text as row
    from (
      select id, event_id as event, name, title, company, bio, photo_url, links, role
      from speakers s order by s.event_id, s.position, s.id
    ) r`,

  registrations: `
    select case when r.previous_status is null
      then ${objectOf("r.id, r.event, r.name, r.email, r.status, r.ticket_type, r.answers, r.source, r.note, r.registered_at, r.checked_in_at")}
      else row_to_json(r) end::text as row
    from (
      select id, event_id as event, name, email, status, previous_status, ticket_type, answers, source, note,
        iso8601(registered_at) as registered_at, iso8601(checked_in_at) as checked_in_at
      from registrations g order by g.event_id, g.registered_at, g.id
    ) r`,

  segments: `
    select row_to_json(r)::text as row
    from (
      select g.id, g.event_id as event, g.title, g.kind, iso8601(g.start_time) as start_time, g.duration_minutes,
        g.location,
        ${listOf(
          "to_json(l.speaker_id)",
          "l.position, l.speaker_id",
          "from segment_speakers l where l.segment_id = g.id",
        )} as speakers,
        g.notes
      from segments g order by g.event_id, g.position, g.id
    ) r`,
};
