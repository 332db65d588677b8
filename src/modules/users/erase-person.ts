import sql from "sql-template-tag";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../platform/database/db.js";
import { allowRecordChange, recordedChange } from "../../tools/recorded-change.js";
import { erased, eraseFrom, type Person } from "./personal-data.js";
import { deleteInvitationsOf } from "./store.js";

export type Erasure = { registrations: string[]; records: number };

/**
 * Removes a guest's personal data: from registrations, which keep their status so that counts and capacity stay right, and
 * from records, which keep their shape. The erasure is recorded without the address. With `previewOnly` nothing changes.
 */
export async function erasePerson(
  db: Database,
  actor: Actor,
  email: string,
  options: { previewOnly: boolean; onProgress?: (records: number) => void },
): Promise<Erasure> {
  const erase = async (tx: Queryable) => {
    const guests = await findGuests(tx, email, options.previewOnly);
    const person = { email, names: [...new Set(guests.map(({ name }) => name))] };
    const registrations = guests.map(({ id }) => id);
    if (!options.previewOnly) await eraseRegistrations(tx, registrations);
    const records = await eraseRecords(tx, person, registrations, options);
    const invitations = options.previewOnly ? 0 : await deleteInvitationsOf(tx, email);
    const result: Erasure = { registrations, records };
    const isEmpty = registrations.length + records + invitations === 0;
    return { result, record: isEmpty ? null : { tool: "svc:erase-person", request: { registrations }, result } };
  };
  if (options.previewOnly) return (await db.transaction(erase, { mode: "read only" })).result;
  return (await recordedChange(db, actor, erase)).result;
}

function findGuests(tx: Queryable, email: string, readOnly: boolean): Promise<{ id: string; name: string }[]> {
  return tx.query(sql`
    select id, name from registrations where lower(email) = lower(${email}) order by id ${readOnly ? sql`` : sql`for update`}`);
}

/** The address stays unique within its event, and its domain can never receive mail. */
async function eraseRegistrations(tx: Queryable, ids: string[]): Promise<void> {
  await tx.query(sql`
    update registrations
    set name = 'Erased guest', email = id || '@erased.invalid', answers = '{}', note = null, source = null
    where id = any(${ids}::uuid[])`);
}

const batchSize = 200;
const recordColumns = ["request", "before", "after", "result"] as const;

type RecordRow = Record<(typeof recordColumns)[number] | "row_changes", unknown> & {
  id: string;
  at: string;
  reason: string | null;
  idempotency_key: string | null;
  has_beginning: boolean;
};

/**
 * Reads every record, because an address can be anywhere in one. Earlier versions kept the beginning of large requests, which
 * can hold a person's data apart from the address: it is removed from all.
 */
async function eraseRecords(
  tx: Queryable,
  person: Person,
  registrations: string[],
  { previewOnly, onProgress }: { previewOnly: boolean; onProgress?: (records: number) => void },
): Promise<number> {
  let count = 0;
  let after = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  if (!previewOnly) await allowRecordChange(tx, "erase");
  for (;;) {
    const rows = await tx.query<RecordRow>(sql`
      select r.id, r.at::text, r.reason, r.idempotency_key, r.request #- '{truncated,beginning}' as request, r.before, r.after,
        r.result, r.row_changes, r.request #> '{truncated,beginning}' is not null as has_beginning
      from mutation_records r
      where (r.at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)
        and ((recorded_registrations(r.request, r.after) || changed_registrations(r.after)) && ${registrations}::text[]
          or r.request #> '{truncated,beginning}' is not null or position(lower(${person.email}) in lower(concat_ws(
            ' ', r.request, r.before, r.after, r.result, r.row_changes, r.reason, r.idempotency_key))) > 0)
      order by r.at, r.id limit ${batchSize}`);
    for (const row of rows) if (await eraseRecord(tx, person, row, previewOnly)) count += 1;
    onProgress?.(count);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return count;
    after = { at: last.at, id: last.id };
  }
}

/** Whether the record contained anything of the person. */
async function eraseRecord(tx: Queryable, person: Person, row: RecordRow, previewOnly: boolean): Promise<boolean> {
  const { id, at: _, has_beginning, ...stored } = row;
  const cleaned = eraseFrom(stored, person) as typeof stored;
  if (!has_beginning && JSON.stringify(cleaned) === JSON.stringify(stored)) return false;
  if (previewOnly) return true;
  const [request, before, after, result] = recordColumns.map((name) =>
    cleaned[name] === null ? null : JSON.stringify(cleaned[name]),
  );
  // Without what was erased, the change cannot be reverted any more.
  const isKept = JSON.stringify(cleaned.row_changes) === JSON.stringify(stored.row_changes);
  // Keys are unique, also those that differed by the address only.
  const key = cleaned.idempotency_key === stored.idempotency_key ? stored.idempotency_key : `${erased} ${id}`;
  await tx.query(sql`
    update mutation_records set reason = ${cleaned.reason}, idempotency_key = ${key}, request = ${request}, before = ${before},
      after = ${after}, result = ${result}, row_changes = case when ${isKept} then row_changes end
    where id = ${id}`);
  return true;
}
