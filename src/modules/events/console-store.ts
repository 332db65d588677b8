import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { HostRole } from "../../../contract/nouns.js";
import { eventFields } from "../../../contract/schema/events.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { hostOrder, hostsOf, offerColumns, offersOf } from "../../access/hosting.js";
import { fellowOrganizations } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { matchesWords } from "../../infra/database/text-search.js";
import { columnsOf } from "../../schema/columns.js";
import { maximumHosts } from "./host-rules.js";

/** An organization that looks at an event, and what it is to the event. */
type Reader = { organizationId: string; role: HostRole };

/** What every page of an event shows, as JSON text: all details, the hosts, and counts. */
export async function getEventPage(
  db: Queryable,
  eventId: string,
  { organizationId, role }: Reader,
  baseUrl: string,
): Promise<string> {
  const [row] = await db.query<{ page: string }>(sql`
    select json_build_object(
      'event', (select row_to_json(item) from (
        select e.id, ${columnsOf("e", eventFields, baseUrl)}, e.run_of_show_published,
          e.ticketing_event_id is not null as ticketing_linked,
          json_build_object('id', c.id, 'name', c.name, 'city', c.city, 'status', c.status) as conference,
          iso8601(e.created_at) as created_at, iso8601(e.updated_at) as updated_at) item),
      'my_role', ${role}::text,
      'hosts', (select coalesce(json_agg(item), '[]') from (
        select h.id, h.name, h.slug, h.role, absolute_url(${baseUrl}, h.logo_url) as logo_url, h.website_url
        from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit ${maximumHosts}) item),
      'host_offer', (select row_to_json(item) from (
        select ${offerColumns} from ${offersOf(organizationId)} o where o.event_id = e.id) item),
      'guests', json_build_object(
        'pending', coalesce(t.pending, 0), 'approved', coalesce(t.approved, 0),
        'waitlisted', coalesce(t.waitlisted, 0), 'declined', coalesce(t.declined, 0),
        'checked_in', coalesce(t.checked_in, 0)),
      'posters', (
        select json_build_object(
          'drafts', count(*) filter (where not p.published),
          'published', count(*) filter (where p.published),
          'unposted', count(*) filter (where p.published and coalesce(p.posted_urls, '{}') = '{}'))
        from posters p where p.event_id = e.id),
      'speakers', (
        select json_build_object('all', count(*), 'without_photo', count(*) filter (where s.photo_url is null))
        from speakers s where s.event_id = e.id),
      'segments', (select count(*) from segments g where g.event_id = e.id))::text as page
    from events e join conferences c on c.id = e.conference_id left join rosters t on t.event_id = e.id
    where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row.page;
}

const shownCandidates = 10;

/**
 * Organizations that can become hosts of an event: the one with exactly this slug, which add_event_cohost would name as
 * well, and those known from the same conferences whose name has the words.
 */
export async function findHostCandidates(
  db: Queryable,
  caller: OrganizationCaller,
  query: string,
  baseUrl: string,
): Promise<string> {
  const slug = query.trim().toLowerCase();
  const columns = sql`o.id, o.name, o.slug, absolute_url(${baseUrl}, o.logo_url) as logo_url`;
  const [row] = await db.query<{ found: string }>(sql`
    select json_build_object('organizations', coalesce(json_agg(item), '[]'))::text as found from (
      select ${columns} from organizations o where o.slug = ${slug}
      union all
      select * from (
        select ${columns} from ${fellowOrganizations(caller)} o
        where o.slug <> ${slug} and ${matchesWords(sql`search_text(o.name)`, query)}
        order by o.name, o.id limit ${shownCandidates}) fellows
      limit ${shownCandidates}) item`);
  return row?.found ?? "";
}
