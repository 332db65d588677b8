import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { hostOrder, hostsOf } from "../../access/hosting.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound } from "../../runner/known-ids.js";
import type { PosterJob } from "./poster-job.js";

/** Everything that an event's posters show. The branding is the host's, also when a co-host draws. */
export type EventMaterial = {
  event_name: string;
  start_time: string;
  end_time: string;
  timezone: string;
  venue: string | null;
  conference_name: string;
  city: string;
  organization: {
    name: string;
    primary_color: string | null;
    secondary_color: string | null;
    logo_url: string | null;
    logo_dark_url: string | null;
  };
  co_hosts: string[];
  speakers: (PosterJob["speakers"][number] & { id: string })[];
  /** All speakers of the event, including those not in `speakers`. */
  speaker_count: number;
};

export const maximumSpeakers = 50;

/** With the given speakers in the given order; by default the first speakers of the event, up to the maximum. */
export async function getMaterial(
  db: Queryable,
  eventId: string,
  baseUrl: string,
  speakerIds?: string[],
): Promise<EventMaterial> {
  const material = await getMaterialOfRemaining(db, eventId, baseUrl, speakerIds);
  const unknown = speakerIds?.filter((id) => !material.speakers.some((speaker) => speaker.id === id)) ?? [];
  if (unknown.length > 0) {
    throw new ServiceError(
      "invalid_input",
      `speaker_ids: expected speakers of this event, unknown: ${unknown.join(", ")}. get_event_asset_workspace lists them`,
    );
  }
  return material;
}

/** The same without those of the given speakers who are not, or no longer, of the event. */
export async function getMaterialOfRemaining(
  db: Queryable,
  eventId: string,
  baseUrl: string,
  speakerIds?: string[],
): Promise<EventMaterial> {
  const [row] = await queryNamed<EventMaterial>(db, "get material")`
    select e.name as event_name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.venue,
      coalesce(nullif(c.short_name, ''), c.name) as conference_name, c.city,
      (select row_to_json(item) from (
        select h.name, h.brand_primary_color as primary_color, h.brand_secondary_color as secondary_color,
          absolute_url(${baseUrl}, h.logo_url) as logo_url, absolute_url(${baseUrl}, h.logo_dark_url) as logo_dark_url
        from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit 1) item) as organization,
      (select coalesce(json_agg(h.name order by ${hostOrder}), '[]')
        from ${hostsOf(sql`e.id`)} h where h.role <> 'host') as co_hosts,
      (select coalesce(json_agg(item), '[]') from (
        select s.id, s.name, s.title, s.company, s.role, absolute_url(${baseUrl}, s.photo_url) as photo_url
        ${chosenSpeakers(speakerIds)}) item) as speakers,
      (select count(*) from speakers s where s.event_id = e.id) as speaker_count
    from events e join conferences c on c.id = e.conference_id where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

function chosenSpeakers(ids: string[] | undefined): Sql {
  return ids === undefined
    ? sql`from speakers s where s.event_id = e.id order by s.position, s.id limit ${inlined(maximumSpeakers)}`
    : sql`
        from unnest(${ids}::uuid[]) with ordinality as chosen (id, position)
        join speakers s on s.id = chosen.id and s.event_id = e.id order by chosen.position`;
}
