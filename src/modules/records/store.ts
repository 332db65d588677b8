import { maximumParts } from "../../../contract/change-parts.js";
import { ServiceError } from "../../../contract/errors.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { isOfOffer } from "../../access/hosting.js";
import { hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { uuidPattern } from "../../infra/ids.js";
import { isUnchanged } from "../../records/record-page.js";
import type { KeptRowChange } from "../../revert/revertible-table.js";

/** A record of a change, with what reverting it needs. */
export type RevertibleRecord = {
  id: string;
  at: string;
  tool: string;
  /** The tool that made the change at first: a revert is reverted with the permissions of what it reverted. */
  origin: string;
  own: boolean;
  event_id: string | null;
  row_changes: KeptRowChange[] | null;
  unchanged: boolean;
  /** The revert that is in effect. */
  reverted_by: string | null;
};

/** A record of the caller's organization, or of an event that it hosts. */
export async function getRecord(db: Queryable, caller: OrganizationCaller, id: string): Promise<RevertibleRecord> {
  const [row] = await queryNamed<RevertibleRecord>(db, "get record")`
    select r.id, iso8601(r.at) as at, r.tool, coalesce(r.result -> 'reverts' ->> 'origin', r.tool) as origin,
      r.organization_id is not distinct from ${caller.organizationId} as own, r.event_id, r.row_changes, ${isUnchanged} as unchanged,
      revert_in_effect(r.id) as reverted_by
    from mutation_records r
    where r.id = ${id} and (r.organization_id = ${caller.organizationId}
      or not ${isOfOffer} and exists (select from ${hostedEvents(caller.organizationId)} v where v.id = r.event_id))`;
  if (row === undefined) {
    throw new ServiceError("not_found", `No change that you can see has the record id ${id}: list_changes lists them`);
  }
  return row;
}

/** The parts of a change that are not reverted, the last one first: a change of one part is its own. */
export async function listPartsInEffect(db: Queryable, recordId: string): Promise<{ id: string; changed: number }[]> {
  return queryNamed<{ id: string; changed: number }>(db, "list parts in effect")`
    select p.id, coalesce((p.result ->> 'changed')::int, jsonb_array_length(p.row_changes), 0) as changed
    from mutation_records p
    where (p.id = ${recordId} or p.part_of = ${recordId}) and revert_in_effect(p.id) is null
    order by p.at desc, p.id desc limit ${inlined(maximumParts)}`;
}

/** The member whom an id or an e-mail address names. */
export async function getPersonId(
  db: Queryable,
  { organizationId }: OrganizationCaller,
  person: string,
): Promise<string> {
  // Records outlive memberships, so an id is not looked up.
  if (uuidPattern.test(person)) return person;
  const [row] = await queryNamed<{ id: string }>(db, "get person")`
    select u.id from users u join members m on m.user_id = u.id
    where lower(u.email) = lower(${person}) and m.organization_id = ${organizationId}`;
  if (row !== undefined) return row.id;
  throw new ServiceError(
    "not_found",
    `person: no member of your organization has the e-mail address ${person}. get_organization_admin_snapshot lists members`,
  );
}
