import sql from "sql-template-tag";
import type { Status } from "../../../contract/nouns.js";
import type { Actor } from "../../access/caller.js";
import type { Database } from "../../infra/database/db.js";
import { updateRow } from "../../infra/database/update-row.js";
import { recordedChange } from "../../records/recorded-change.js";
import { getConferenceId } from "./store.js";

export type ConferenceStatus = { id: string; name: string; slug: string; status: Status };

/** Changes the status of a conference, given by slug or id. A conference that is not listed hides everything in it. */
export async function setConferenceStatus(
  db: Database,
  actor: Actor,
  slugOrId: string,
  status: Status,
): Promise<ConferenceStatus> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const id = await getConferenceId(tx, slugOrId);
    const [before] = await tx.query<ConferenceStatus>(
      sql`select id, name, slug, status from conferences where id = ${id} for update`,
    );
    if (before === undefined) throw new Error(`conference ${id} was removed meanwhile`);
    const after = { ...before, status };
    await updateRow(tx, "conferences", { id }, { status });
    const record = { tool: "svc:conferences set-status", request: { conference: slugOrId, status }, before, after };
    return { result: after, record: before.status === status ? null : record };
  });
  return result;
}

export type ListedConference = ConferenceStatus & { start_date: string; events: number };

/** All conferences in any status, for operators. */
export function listConferences(db: Database): Promise<ListedConference[]> {
  return db.query<ListedConference>(sql`
    select c.id, c.name, c.slug, c.status, c.start_date,
      (select count(*) from events e where e.conference_id = c.id)::int as events
    from conferences c order by c.start_date, c.id`);
}
