import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { Status } from "../../../contract/nouns.js";
import type { Queryable } from "../../infra/database/db.js";
import { uuidPattern } from "../../infra/ids.js";

/** An event as operators refer to it. */
export type ReferencedEvent = {
  id: string;
  name: string;
  conference: string;
  status: Status;
  ticketing_event_id: string | null;
  luma_url: string | null;
};

const maxCandidates = 5;

/** The event with this id, or the only one with this name, in any status. It stays locked until the transaction ends. */
export async function lockEventByReference(tx: Queryable, reference: string): Promise<ReferencedEvent> {
  const isReferenced = uuidPattern.test(reference) ? sql`e.id = ${reference}` : sql`e.name = ${reference}`;
  const found = await findEvents(tx, isReferenced, sql`for no key update of e`);
  const [event] = found;
  if (event === undefined) throw eventNotFound(reference);
  if (found.length > 1) {
    const candidates = found.slice(0, maxCandidates).map(({ id, conference }) => `${id} (${conference})`);
    const more = found.length > maxCandidates ? ", …" : "";
    throw new ServiceError(
      "conflict",
      `several events are named ${reference}; use an id instead: ${candidates.join(", ")}${more}`,
    );
  }
  return event;
}

export async function getReferencedEvent(db: Queryable, id: string): Promise<ReferencedEvent> {
  const [event] = await findEvents(db, sql`e.id = ${id}`);
  if (event === undefined) throw eventNotFound(id);
  return event;
}

export function findEvents(db: Queryable, condition: Sql, lock = sql``): Promise<ReferencedEvent[]> {
  return db.query<ReferencedEvent>(sql`
    select e.id, e.name, c.slug as conference, e.status, e.ticketing_event_id, e.luma_url
    from events e join conferences c on c.id = e.conference_id
    where ${condition} order by c.start_date, e.start_time, e.id limit ${maxCandidates + 1} ${lock}`);
}

function eventNotFound(reference: string): ServiceError {
  return new ServiceError("not_found", `no event has the id or name ${reference}`);
}
