import sql, { join, type Sql } from "sql-template-tag";
import type { GuestEvent, GuestState, DoorGuest as ShownDoorGuest } from "../../../contract/console/guests.js";
import { ServiceError } from "../../../contract/errors.js";
import type { RegistrationStatus } from "../../../contract/nouns.js";
import type { Queryable } from "../../infra/database/db.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { isAboutMany, isAboutOne } from "./history-store.js";
import { conditionsOf, type RosterFilter, selectRoster } from "./roster-store.js";

/** What the console reads of a roster beyond the list: selections, exports, codes, and what the door needs. */

export async function getGuestEvent(db: Queryable, eventId: string): Promise<GuestEvent> {
  const [event] = await db.query<GuestEvent>(sql`
    select id, name, timezone, iso8601(start_time) as start_time, iso8601(end_time) as end_time
    from events where id = ${eventId}`);
  if (event === undefined) throw new ServiceError("not_found", "Event not found");
  return event;
}

/** A selection larger than this would not be looked at by anyone. */
export const maximumSelection = 20_000;

/** Everybody who matches, in the order of the list, with what decides which changes are possible. */
export async function selectGuests(db: Queryable, eventId: string, filter: RosterFilter): Promise<GuestState[]> {
  const wanted = [sql`r.event_id = ${eventId}`, ...conditionsOf(filter)];
  const rows = await db.query<GuestState>(sql`
    select r.id, r.name, r.status, r.checked_in_at is not null as checked_in from registrations r
    where ${join(wanted, " and ")} order by r.registered_at, r.id limit ${maximumSelection + 1}`);
  if (rows.length <= maximumSelection) return rows;
  throw new ServiceError(
    "invalid_input",
    `More than ${maximumSelection.toLocaleString("en-GB")} guests match. Choose a state or search, and select fewer at once`,
  );
}

export type ExportedGuest = {
  name: string;
  email: string;
  status: RegistrationStatus;
  ticket_type: string | null;
  registered_at: string;
  checked_in_at: string | null;
  source: string | null;
  note: string | null;
  answers: Record<string, unknown>;
};

const exportedColumns: Sql = sql`r.id, r.name, r.email, r.status, r.ticket_type, r.source, r.note, r.answers,
  iso8601(r.registered_at) as registered_at, iso8601(r.checked_in_at) as checked_in_at`;
const exportedRows = 200;

/** All guests who match, page by page: a slow reader holds one page in memory and no transaction open. */
export async function* exportGuests(
  db: Queryable,
  eventId: string,
  filter: RosterFilter,
): AsyncGenerator<ExportedGuest[]> {
  let cursor: string | undefined;
  do {
    const query = { limit: exportedRows, cursor };
    const page = await readPage(db, ["export", eventId, filter], query, (after, rows) =>
      selectRoster(eventId, filter, after, rows, exportedColumns),
    );
    yield page.items.map((item) => JSON.parse(item) as ExportedGuest);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** More questions than a registration form has. */
const maximumQuestions = 50;

/** The questions that guests of an event have answered. */
export async function listQuestions(db: Queryable, eventId: string): Promise<string[]> {
  const rows = await db.query<{ question: string }>(sql`
    select distinct question from registrations r, jsonb_object_keys(r.answers) question
    where r.event_id = ${eventId} order by question limit ${maximumQuestions}`);
  return rows.map(({ question }) => question);
}

/** A guest as the door knows them, before the codes are made. */
export type DoorGuest = Omit<ShownDoorGuest, "code_hash">;

const doorColumns: Sql = sql`r.id, r.name, r.email, r.status, r.ticket_type, iso8601(r.checked_in_at) as checked_in_at,
  iso8601(r.registered_at) as registered_at`;
export const doorPageRows = 500;

export type DoorPage = { items: DoorGuest[]; nextCursor: string | null };

export async function readDoorPage(
  db: Queryable,
  eventId: string,
  filter: Pick<RosterFilter, "status">,
  cursor: string | undefined,
): Promise<DoorPage> {
  const whole: RosterFilter = { ...filter, checkedIn: undefined, query: undefined };
  const { items, nextCursor } = await readPage(
    db,
    ["door", eventId, filter],
    { cursor, limit: doorPageRows },
    (after, rows) => selectRoster(eventId, whole, after, rows, doorColumns),
  );
  return { items: items.map((item) => withoutPlace(JSON.parse(item))), nextCursor };
}

export async function findDoorGuest(db: Queryable, eventId: string, id: string): Promise<DoorGuest | undefined> {
  const [row] = await readDoorGuests(db, eventId, [id]);
  return row;
}

export const maximumDoorChanges = 1_000;

/**
 * The guests changed since a time, or null if there are too many to read one by one. They are found in the records, because
 * every change has one.
 */
export async function readDoorChanges(db: Queryable, eventId: string, since: string): Promise<DoorGuest[] | null> {
  const rows = await db.query<{ id: string }>(sql`
    select distinct changed.id
    from mutation_records m,
      unnest(recorded_registrations(m.request, m.after) || changed_registrations(m.after)) changed (id)
    where m.event_id = ${eventId} and m.at >= ${since}::timestamptz and (${isAboutOne} or ${isAboutMany})
    limit ${maximumDoorChanges + 1}`);
  if (rows.length > maximumDoorChanges) return null;
  return readDoorGuests(
    db,
    eventId,
    rows.map(({ id }) => id),
  );
}

/**
 * The moment from which changes are read next time. A change gets its time when its transaction begins, so the moment lies
 * before every change that has not been committed yet.
 */
export async function readDoorTime(db: Queryable): Promise<{ now: string; as_of: string }> {
  const [row] = await db.query<{ now: string; as_of: string }>(
    sql`select iso8601(now()) as now, iso8601(now() - interval '30 seconds') as as_of`,
  );
  if (row === undefined) throw new Error("the database returned no time");
  return row;
}

async function readDoorGuests(db: Queryable, eventId: string, ids: string[]): Promise<DoorGuest[]> {
  const rows = await db.query<DoorGuest & { registered_at: string }>(sql`
    select ${doorColumns} from registrations r where r.id = any (${ids}::uuid[]) and r.event_id = ${eventId}`);
  return rows.map(withoutPlace);
}

function withoutPlace({ registered_at: _, ...guest }: DoorGuest & { registered_at: string }): DoorGuest {
  return guest;
}
