import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { maximumProposals } from "../../contract/schema/proposals.js";
import type { Queryable } from "../infra/database/db.js";
import { asSubquery, inlined, queryNamed } from "../infra/database/statement-names.js";
import { unlistedStateFor } from "./visibility.js";

/** The proposals of an organization that wait or were returned, with the columns of event_proposals. */
export function proposalsOf(organizationId: string): Sql {
  return sql`(
    select p.* from event_proposals p join events e on e.id = p.event_id
    where p.organization_id = ${asSubquery(organizationId, "uuid")} and ${unlistedStateFor(organizationId)} = 'proposed')`;
}

/** What is shown of a proposal p. */
export const proposalColumns = sql`
  iso8601(p.proposed_at) as proposed_at, iso8601(p.returned_at) as returned_at, p.return_reason`;

/** The proposals of all organizations that wait for an administrator of the platform. */
export const waitingProposals = sql`(
  select p.* from event_proposals p join events e on e.id = p.event_id
  where p.returned_at is null and e.status = 'draft')`;

/** The proposals of the organization as JSON rows, the returned ones first. */
export function selectProposals(organizationId: string): Sql {
  return sql`
    select ${proposalColumns}, json_build_object('id', e.id, 'name', e.name, 'start_time', iso8601(e.start_time),
      'end_time', iso8601(e.end_time), 'timezone', e.timezone) as event,
      json_build_object('id', c.id, 'name', c.name) as conference
    from ${proposalsOf(organizationId)} p join events e on e.id = p.event_id join conferences c on c.id = e.conference_id
    order by p.returned_at is null, p.proposed_at, e.id limit ${inlined(maximumProposals)}`;
}

/** The proposal of a draft, as JSON; null for any other row e of events. */
export const proposalOfEvent = sql`(
  select row_to_json(item) from (
    select ${proposalColumns}, json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) as organization
    from event_proposals p join organizations o on o.id = p.organization_id
    where p.event_id = e.id and e.status = 'draft') item)`;

/** The ids of the events that wait for an administrator. */
export const waitingEvents = sql`(select w.event_id from ${waitingProposals} w)`;

/** Refuses another proposal of an organization that has as many as it may. */
export async function refuseTooManyProposals(tx: Queryable, organizationId: string): Promise<void> {
  const [row] = await queryNamed<{ count: number }>(tx, "count proposals")`
    select count(*)::int as count from ${proposalsOf(organizationId)} p`;
  if ((row?.count ?? 0) < maximumProposals) return;
  throw new ServiceError(
    "conflict",
    `Your organization has ${maximumProposals} proposals that are not accepted yet, the maximum. Nothing was changed. Withdraw one with cancel_event, or wait until the platform's administrators have decided`,
  );
}

/** Until the transaction ends, no other proposal of the organization is counted or added. */
export async function requireRoomForProposal(tx: Queryable, organizationId: string): Promise<void> {
  await queryNamed(tx, "lock proposals")`
    select pg_advisory_xact_lock(hashtextextended(${`event proposals of ${organizationId}`}, 0))`;
  await refuseTooManyProposals(tx, organizationId);
}

/** A withdrawn proposal that comes back counts again. */
export async function requireRoomToRestore(tx: Queryable, eventId: string): Promise<void> {
  const [row] = await tx.query<{ organization_id: string }>(
    sql`select organization_id from event_proposals where event_id = ${eventId}`,
  );
  if (row !== undefined) await requireRoomForProposal(tx, row.organization_id);
}
