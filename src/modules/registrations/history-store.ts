import sql from "sql-template-tag";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import { describe, type Standing, type Status } from "./rules.js";

export type RegistrationDetails = {
  id: string;
  name: string;
  email: string;
  status: Status;
  previous_status: Standing["previous_status"];
  ticket_type: string | null;
  answers: Record<string, unknown>;
  source: string | null;
  note: string | null;
  registered_at: string;
  checked_in_at: string | null;
};

export async function getRegistrationDetails(tx: Queryable, eventId: string, id: string): Promise<RegistrationDetails> {
  const [row] = await tx.query<RegistrationDetails>(sql`
    select id, name, email, status, previous_status, ticket_type, answers, source, note,
      iso8601(registered_at) as registered_at, iso8601(checked_in_at) as checked_in_at
    from registrations where id = ${id} and event_id = ${eventId}`);
  if (row === undefined) {
    throw new ServiceError(
      "not_found",
      "No registration of this event has that id: list_event_registrations lists them",
    );
  }
  return row;
}

export type HistoryEntry = {
  at: string;
  tool: string;
  from: string | null;
  to: string | null;
  reason: string | null;
  user: { name: string; email: string } | null;
  key: string | null;
};

const shownEntries = 50;

/** Who changed the registration, what, when and why; the newest first. */
export async function listHistory(tx: Queryable, eventId: string, id: string): Promise<HistoryEntry[]> {
  const rows = await tx.query<Omit<HistoryEntry, "from" | "to"> & { before: Recorded; after: Recorded }>(sql`
    select iso8601(m.at) as at, m.tool, m.reason,
      coalesce(m.before -> 'registrations' -> ${id}, m.before -> 'registration') as before,
      coalesce(m.after -> 'registrations' -> ${id}, m.after -> 'registration') as after,
      case when u.id is not null then json_build_object('name', u.name, 'email', u.email) end as user, k.name as key
    from mutation_records m
    left join users u on u.id = m.user_id
    left join api_keys k on k.id = m.api_key_id
    where recorded_registrations(m.request, m.after) @> array[${id}]
      and (m.request ?| array['registration_id', 'registration_ids'] or m.after ? 'registration')
      and m.event_id = ${eventId}
    order by m.at desc, m.id desc limit ${shownEntries}`);
  return rows.map(({ before, after, ...row }) => ({
    at: row.at,
    tool: row.tool,
    from: inWords(before),
    to: inWords(after),
    reason: row.reason,
    user: row.user,
    key: row.key,
  }));
}

/** A batch records each standing in words already. */
type Recorded = Standing | string | null;

function inWords(recorded: Recorded): string | null {
  return recorded === null || typeof recorded === "string" ? recorded : describe(recorded);
}
