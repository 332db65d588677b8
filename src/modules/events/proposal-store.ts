import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { Status } from "../../../contract/nouns.js";
import {
  type ListedProposal,
  maximumProposals,
  type Proposal,
  type ProposalConference,
  type ProposalList,
} from "../../../contract/schema/proposals.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { proposalColumns, requireRoomForProposal, selectProposals } from "../../access/proposals.js";
import { requireVisible, visibleConferences } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { insertRow } from "../../infra/database/insert-row.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { getOrganization } from "../organizations/store.js";
import { saveHosts } from "./host-store.js";
import type { EventDetails } from "./rules.js";
import { findEventDetails } from "./store.js";

/** A draft as previews show it; it has no id yet. */
export type Draft = Omit<Required<EventDetails>, "status"> & { id: string | null; status: Status };

/** The draft that a change has made. */
export async function findDraft(tx: Queryable, id: string, baseUrl: string): Promise<Draft | null> {
  const stored = await findEventDetails(tx, id, baseUrl);
  return stored === undefined ? null : { id, ...stored };
}

export function timesOf(draft: Draft | null): EventDetails {
  return draft === null ? {} : { start_time: draft.start_time, end_time: draft.end_time };
}

/** Where a draft is proposed, and by whom. */
export type ProposalPlace = { conference: { id: string; name: string }; host: { id: string; name: string } };

/** The conference, if the organization hosts an event of it, and the organization. */
export async function getProposalPlace(
  tx: Queryable,
  caller: OrganizationCaller,
  conferenceId: string,
): Promise<ProposalPlace & { timezone: string }> {
  await requireVisible(tx, caller, "conference", conferenceId);
  const [[conference], { id, name }] = await Promise.all([
    queryNamed<{ id: string; name: string; timezone: string }>(tx, "get proposal conference")`
      select id, name, timezone from conferences where id = ${conferenceId}`,
    getOrganization(tx, caller.organizationId),
  ]);
  if (conference === undefined) throw new ServiceError("not_found", "Conference not found");
  const { timezone, ...named } = conference;
  return { conference: named, host: { id, name }, timezone };
}

/** Stores a draft that the organization hosts and proposes, if it has room for one more. */
export async function saveProposal(
  tx: Queryable,
  organizationId: string,
  { id, conferenceId, event }: { id: string; conferenceId: string; event: Draft | null },
): Promise<void> {
  await requireRoomForProposal(tx, organizationId);
  await insertRow(tx, "events", { ...event, id, conference_id: conferenceId });
  await saveHosts(tx, id, [{ ...(await getOrganization(tx, organizationId)), role: "host" }]);
  await insertRow(tx, "event_proposals", { event_id: id, organization_id: organizationId });
}

/** What the organization has proposed, and where it may propose more. */
export async function readProposals(db: Queryable, caller: OrganizationCaller): Promise<ProposalList> {
  const [proposals, conferences] = await Promise.all([
    queryNamed<ListedProposal>(db, "list proposals")`${selectProposals(caller.organizationId)}`,
    db.query<ProposalConference>(sql`
      select c.id, c.name, c.start_date::text as start_date, c.end_date::text as end_date, c.timezone
      from (
        select v.id, v.start_date from ${visibleConferences(caller)} v
        order by v.start_date desc, v.id limit ${inlined(shownConferences)}) v,
        lateral (select * from conferences where id = v.id limit 1) c
      where c.end_date >= current_date - 1 order by c.start_date, c.id`),
  ]);
  return { proposals, conferences, maximum: maximumProposals };
}

const shownConferences = 50;

/** The proposal of a draft. */
export async function findProposal(tx: Queryable, eventId: string): Promise<Proposal | undefined> {
  const [row] = await queryNamed<Proposal>(tx, "find proposal")`
    select ${proposalColumns} from event_proposals p join events e on e.id = p.event_id
    where p.event_id = ${eventId} and e.status = 'draft'`;
  return row;
}

/** Returns a proposal to its organization, or makes it wait again. */
export async function saveReturn(tx: Queryable, eventId: string, reason: string | null): Promise<void> {
  await queryNamed(tx, "save return of proposal")`
    update event_proposals set return_reason = ${reason}, returned_at = case when ${reason}::text is not null then now() end
    where event_id = ${eventId}`;
}
