import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { organizationFields } from "../../../contract/schema/organizations.js";
import type { ListedProposal } from "../../../contract/schema/proposals.js";
import { shortText } from "../../../contract/shortened.js";
import { keysWithState } from "../../access/api-key.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { offerColumns, offersOf } from "../../access/hosting.js";
import { selectProposals } from "../../access/proposals.js";
import { visibleEvents, visiblePosters } from "../../access/visibility.js";
import { rowsWithin } from "../../infra/bounded.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { columnsOf } from "../../schema/columns.js";
import { type HostedConference, nextConferences } from "./hosted-conferences.js";
import { organizationGone } from "./store.js";

/** What a snapshot shows only on request. */
export const snapshotParts = ["members", "keys"] as const;

export type SnapshotPart = (typeof snapshotParts)[number];

export type OrganizationSnapshot = {
  organization: { id: string; name: string; slug: string; description: string | null };
  conferences: HostedConference[];
  counts: Record<string, number>;
  /** Open offers to hand an event over, made or received, the newest first. */
  host_offers?: { event_id: string }[];
  /** Drafts that the organization has proposed and that are not accepted yet. */
  proposals?: ListedProposal[];
  members?: { user_id: string; email: string; name: string; role: string }[];
  keys?: { id: string; name: string }[] | null;
};

const shownRows = 100;
const shownBytes = 10_000;
const shownDescription = 4000;

/**
 * The organization with its next conferences, and members and keys on request, cut to what an agent can read. `counts` has
 * the totals, from indexes alone.
 */
export async function getOrganizationSnapshot(
  tx: Queryable,
  caller: OrganizationCaller,
  baseUrl: string,
  include: readonly SnapshotPart[],
): Promise<OrganizationSnapshot> {
  const id = caller.organizationId;
  const rows = (selected: Sql) => sql`(select coalesce(json_agg(item), '[]') from (${selected}) item)`;
  const onRequest = (part: SnapshotPart, selected: Sql) =>
    include.includes(part) ? sql`, ${rows(selected)} as ${part === "keys" ? sql`keys` : sql`members`}` : sql``;
  const [row] = await queryNamed<OrganizationSnapshot>(tx, "get organization snapshot")`
    select
      (select row_to_json(item) from (
        select o.id, o.slug, ${columnsOf("o", organizationFields, baseUrl)}
        from organizations o where o.id = ${id}) item) as organization,
      ${rows(nextConferences(caller))} as conferences,
      (select row_to_json(item) from (
        select (select count(*) from members where organization_id = ${id}) as members,
          (select count(*) from ${visibleEvents(caller)} v) as events,
          posters.total as posters, posters.published as published_posters
        from (
          select count(*) as total, count(*) filter (where v.published) as published
          from ${visiblePosters(caller)} v) posters) item) as counts,
      ${rows(selectOffers(id))} as host_offers,
      ${rows(selectProposals(id))} as proposals
      ${onRequest(
        "members",
        sql`
        select m.user_id, u.email, u.name, m.role from members m join users u on u.id = m.user_id
        where m.organization_id = ${id} order by array_position(array['owner', 'admin', 'member'], m.role), u.name, u.id
        limit ${inlined(shownRows)}`,
      )}
      ${onRequest(
        "keys",
        sql`
        select k.id, k.name, k.key_prefix, k.scopes, u.email as created_by, iso8601(k.expires_at) as expires_at,
          iso8601(k.last_used_at) as last_used_at
        from ${keysWithState} k join users u on u.id = k.created_by
        where k.organization_id = ${id} and k.state = 'active'
        order by k.created_at desc, k.id limit ${inlined(shownRows)}`,
      )}`;
  if (row?.organization == null) throw new ServiceError("not_found", organizationGone);
  const { host_offers = [], proposals = [], ...shown } = row;
  const { organization, members, keys } = shown;
  return {
    ...shown,
    ...(host_offers.length === 0 ? {} : { host_offers: rowsWithin(host_offers, shownBytes) }),
    ...(proposals.length === 0 ? {} : { proposals: rowsWithin(proposals, shownBytes) }),
    organization: { ...organization, description: shortText(organization.description, shownDescription) },
    ...(members === undefined ? {} : { members: rowsWithin(members, shownBytes) }),
    ...(keys === undefined ? {} : { keys: caller.role === "owner" ? rowsWithin(keys ?? [], shownBytes) : null }),
  };
}

const shownOffers = 20;

function selectOffers(organizationId: string): Sql {
  return sql`
    select o.event_id, e.name as event, c.short_name as conference, iso8601(e.start_time) as start_time, e.timezone,
      ${offerColumns}
    from ${offersOf(organizationId)} o, lateral (select * from events where id = o.event_id limit 1) e,
      lateral (select short_name from conferences where id = e.conference_id limit 1) c
    order by o.offered_at desc, o.event_id limit ${inlined(shownOffers)}`;
}
