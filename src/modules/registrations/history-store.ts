import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { describeState, type RegistrationState } from "../../../contract/registrations.js";
import type { HistoryEntry } from "../../../contract/schema/registrations.js";
import type { OrganizationCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { unknownRegistrations } from "./store.js";

export type RegistrationDetails = {
  id: string;
  name: string;
  email: string;
  status: RegistrationState["status"];
  previous_status: RegistrationState["previous_status"];
  ticket_type: string | null;
  answers: Record<string, unknown>;
  source: string | null;
  note: string | null;
  registered_at: string;
  checked_in_at: string | null;
};

export async function getRegistrationDetails(tx: Queryable, eventId: string, id: string): Promise<RegistrationDetails> {
  const [row] = await queryNamed<RegistrationDetails>(tx, "get registration details")`
    select id, name, email, status, previous_status, ticket_type, answers, source, note,
      iso8601(registered_at) as registered_at, iso8601(checked_in_at) as checked_in_at
    from registrations where id = ${id} and event_id = ${eventId}`;
  if (row === undefined) throw unknownRegistrations([id]);
  return row;
}

const shownEntries = 50;

/** The conditions of the two indexes of records by registration, for records `m`. */
export const isAboutOne: Sql = sql`
  (m.request ?| array['registration_id', 'registration_ids'] or m.after ? 'registration')`;
export const isAboutMany: Sql = sql`m.after ? 'registrations'`;

/** What a recorded state says of one registration: it is the only one, one of many by id, or one of a list of new ones. */
function recordedState(state: Sql, id: string): Sql {
  return sql`coalesce(
    ${state} -> 'registrations' -> ${id},
    jsonb_path_query_first(${state}, '$.registrations[*] ? (@.id == $id)', jsonb_build_object('id', ${id}::text)),
    ${state} -> 'registration')`;
}

/** Who changed the registration, when and why, newest first, as the caller's organization may see it. */
export async function listHistory(
  tx: Queryable,
  { organizationId }: OrganizationCaller,
  eventId: string,
  id: string,
): Promise<HistoryEntry[]> {
  const isOwn = sql`m.organization_id = ${organizationId}`;
  const rows = await queryNamed<RecordedEntry>(tx, "list history")`
    select iso8601(m.at) as at, m.tool, o.name as organization,
      case when ${isOwn} then m.reason end as reason,
      ${recordedState(sql`m.before`, id)} as before, ${recordedState(sql`m.after`, id)} as after,
      case when ${isOwn} and u.id is not null then json_build_object('name', u.name, 'email', u.email) end as user,
      case when ${isOwn} then k.name end as key,
      case when ${isOwn} and m.door_link_id is not null then json_build_object('name', d.name) end as door_link
    from mutation_records m
    left join organizations o on o.id = m.organization_id
    left join users u on u.id = m.user_id
    left join api_keys k on k.id = m.api_key_id
    left join door_links d on d.id = m.door_link_id
    where ${isOf(id)} and m.event_id = ${eventId}
    order by m.at desc, m.id desc limit ${inlined(shownEntries)}`;
  return rows.map(({ before, after, ...row }) => ({
    at: row.at,
    tool: row.tool,
    from: inWords(before),
    to: inWords(after),
    reason: row.reason,
    user: row.user,
    key: row.key,
    ...(row.door_link === null ? {} : { door_link: row.door_link }),
    organization: row.organization,
  }));
}

/** The last change of the guest was made with this door link. */
export async function requireOwnCheckIn(tx: Queryable, eventId: string, id: string, linkId: string): Promise<void> {
  const [last] = await queryNamed<{ door_link_id: string | null }>(tx, "get last change of guest")`
    select m.door_link_id from mutation_records m
    where ${isOf(id)} and m.event_id = ${eventId}
    order by m.at desc, m.id desc limit 1`;
  if (last?.door_link_id === linkId) return;
  throw new ServiceError(
    "forbidden",
    "This guest was not checked in with this link. Nothing was changed. Somebody of the organization can undo it",
  );
}

/** A condition on a record m: it is about this registration. */
const isOf = (id: string): Sql => sql`(
  ${isAboutOne} and recorded_registrations(m.request, m.after) @> array[${id}]
    or ${isAboutMany} and changed_registrations(m.after) @> array[${id}])`;

type RecordedEntry = Omit<HistoryEntry, "from" | "to" | "door_link"> & {
  door_link: { name: string | null } | null;
  before: Recorded;
  after: Recorded;
};

/** Older records of batches have words, or leave out what is null or false. */
type Recorded = (Pick<RegistrationState, "status"> & Partial<RegistrationState>) | string | null;

function inWords(recorded: Recorded): string | null {
  if (recorded === null || typeof recorded === "string") return recorded;
  return describeState({ previous_status: null, checked_in: false, ...recorded });
}
