import type { Status } from "../../../contract/nouns.js";
import type { Actor } from "../../access/caller.js";
import type { Database } from "../../infra/database/db.js";
import { updateRow } from "../../infra/database/update-row.js";
import { recordedChange } from "../../records/recorded-change.js";
import { lockEventByReference, type ReferencedEvent } from "./event-reference.js";

/** Changes the status of an event, given by id or name. */
export async function setEventStatus(
  db: Database,
  actor: Actor,
  reference: string,
  status: Status,
): Promise<ReferencedEvent> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const before = await lockEventByReference(tx, reference);
    const after = { ...before, status };
    await updateRow(tx, "events", { id: before.id }, { status });
    const request = { event: reference, status };
    const record = { tool: "svc:events set-status", event_id: before.id, request, before, after };
    return { result: after, record: before.status === status ? null : record };
  });
  return result;
}
