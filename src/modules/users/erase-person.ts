import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { allowRecordChange, recordedChange } from "../../records/recorded-change.js";
import {
  containsAddress,
  erased,
  eraseFrom,
  eraseInviters,
  keyContainsAddress,
  type Person,
  spellingsOf,
} from "./personal-data.js";
import { deleteInvitationsOf } from "./store.js";

export type Erasure = { registrations: string[]; records: number; remaining: Remaining[] };

/** Where people have written the address, or whose account has it: an erasure leaves it to them. */
export type Remaining = { table: string; id: string; name: string };

/**
 * Removes the personal data of a guest, or of a user who was removed: from registrations, which keep their status so that counts
 * and capacity stay right, and from records, which keep their shape. The erasure is recorded without the address. With
 * `previewOnly` nothing changes.
 */
export async function erasePerson(
  db: Database,
  actor: Actor,
  email: string,
  options: { previewOnly: boolean; onProgress?: (records: number) => void },
): Promise<Erasure> {
  const erase = async (tx: Queryable) => {
    const guests = await findGuests(tx, email, options.previewOnly);
    const account = await findAccount(tx, email);
    const names = [...new Set([...guests.map(({ name }) => name), ...account.names])];
    const registrations = guests.map(({ id }) => id);
    if (!options.previewOnly) await eraseRegistrations(tx, registrations);
    const records = await eraseRecords(tx, { email, names, account }, registrations, options);
    const invitations = options.previewOnly
      ? 0
      : (await deleteInvitationsOf(tx, email)) + (await eraseInvitersOf(tx, account));
    const counts = { registrations, records };
    const result: Erasure = { ...counts, remaining: await findRemaining(tx, email) };
    const isEmpty = registrations.length + records + invitations === 0;
    return {
      result,
      record: isEmpty ? null : { tool: "svc:erase-person", request: { registrations }, result: counts },
    };
  };
  if (options.previewOnly) return (await db.transaction(erase, { mode: "read only" })).result;
  return (await recordedChange(db, actor, erase)).result;
}

function findGuests(tx: Queryable, email: string, readOnly: boolean): Promise<{ id: string; name: string }[]> {
  return tx.query(sql`
    select id, name from registrations where lower(email) = lower(${email}) order by id ${readOnly ? sql`` : sql`for update`}`);
}

/** The accounts that the address has or had, and every name of theirs that is known. */
type Account = { ids: string[]; names: string[] };

/** The id and name of a removed account are in the record of its removal. */
async function findAccount(tx: Queryable, email: string): Promise<Account> {
  const [row] = await tx.query<Account>(sql`
    with known as (
      select id::text, name from users where lower(email) = lower(${email})
      union
      select person ->> 'id', person ->> 'name'
      from mutation_records r, lateral (select coalesce(r.before -> 'person', r.before) as person) removed
      where r.tool in ('svc:users remove', 'remove_person') and lower(person ->> 'email') = lower(${email})
    ), named as (
      select name from known
      union
      select unnest(array[r.before ->> 'name', r.after ->> 'name']) from mutation_records r
      where r.tool = 'console:update_profile' and r.request ->> 'user_id' in (select id from known)
    )
    select array(select distinct id from known) as ids, array(select name from named where name <> '') as names`);
  return row ?? { ids: [], names: [] };
}

/** Invitations of earlier versions name their inviter only: they stay, without the name. */
async function eraseInvitersOf(tx: Queryable, { names }: Account): Promise<number> {
  const rows = await tx.query(sql`
    update invitations set invited_by = ${erased}
    where inviter_id is null and not by_operator and invited_by = any(${names}::text[]) returning id`);
  return rows.length;
}

/** The address stays unique within its event, and its domain can never receive mail. */
async function eraseRegistrations(tx: Queryable, ids: string[]): Promise<void> {
  await tx.query(sql`
    update registrations
    set name = 'Erased guest', email = id || '@erased.invalid', answers = '{}', note = null, source = null
    where id = any(${ids}::uuid[])`);
}

/** Whether one of these texts is in a text of the database, in any case; it may be a part of a longer address. */
const isIn = (wanted: string[], text: Sql) =>
  sql`(${join(
    wanted.map((each) => sql`position(lower(${each}) in lower(${text})) > 0`),
    " or ",
  )})`;

/** Tables of what people write, and what names a row of them. */
const writtenTables = Object.entries({
  organizations: "name",
  users: "name",
  api_keys: "name",
  connected_apps: "name",
  door_links: "name",
  registrations: "name",
  conferences: "name",
  events: "name",
  speakers: "name",
  segments: "title",
  posters: "title",
});

async function findRemaining(tx: Queryable, email: string): Promise<Remaining[]> {
  const rows = await tx.query<Remaining & { row: unknown }>(
    join(
      writtenTables.map(
        ([table, name]) => sql`
          select ${table} as table, t.id::text, coalesce(t.${raw(name)}, '') as name, to_jsonb(t) as row
          from ${raw(table)} t where ${isIn(spellingsOf(email), sql`t::text`)}
            ${table === "registrations" ? sql`and lower(t.email) <> lower(${email})` : sql``}`,
      ),
      " union all ",
    ),
  );
  return rows.filter(({ row }) => containsAddress(row, email)).map(({ table, id, name }) => ({ table, id, name }));
}

type PersonWithAccount = Person & { account: Account };

const batchSize = 200;
const recordColumns = ["request", "before", "after", "result"] as const;

type RecordRow = Record<(typeof recordColumns)[number] | "row_changes", unknown> & {
  id: string;
  at: string;
  tool: string;
  is_of_registrations: boolean;
  /** It names the account of the person. */
  is_of_account: boolean;
  /** The person has made the change. */
  is_by_account: boolean;
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
  person: PersonWithAccount,
  registrations: string[],
  { previewOnly, onProgress }: { previewOnly: boolean; onProgress?: (records: number) => void },
): Promise<number> {
  let count = 0;
  let after = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  const isOfRegistrations = sql`
    (recorded_registrations(r.request, r.after) || changed_registrations(r.after)) && ${registrations}::text[]`;
  const texts = sql`
    concat_ws(' ', r.request, r.before, r.after, r.result, r.row_changes, r.reason, r.idempotency_key)`;
  const { ids, names } = person.account;
  const isOfAccount = ids.length === 0 ? sql`false` : isIn(ids, texts);
  const isByAccount = sql`coalesce(r.user_id::text = any(${ids}::text[]), false)`;
  if (!previewOnly) await allowRecordChange(tx, "erase");
  for (;;) {
    const rows = await tx.query<RecordRow>(sql`
      select r.id, r.at::text, r.tool, ${isOfRegistrations} as is_of_registrations, ${isOfAccount} as is_of_account,
        ${isByAccount} as is_by_account, r.reason, r.idempotency_key, r.request #- '{truncated,beginning}' as request, r.before, r.after,
        r.result, r.row_changes, r.request #> '{truncated,beginning}' is not null as has_beginning
      from mutation_records r
      where (r.at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)
        and (${isOfRegistrations} or r.request #> '{truncated,beginning}' is not null or ${isByAccount}
          or ${isIn([...spellingsOf(person.email), ...ids, ...names], texts)})
      order by r.at, r.id limit ${batchSize}`);
    for (const row of rows) if (await eraseRecord(tx, person, row, previewOnly)) count += 1;
    onProgress?.(count);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return count;
    after = { at: last.at, id: last.id };
  }
}

/**
 * Of a write to the ticketing platform that names the person, what was written goes: the platform takes any field, and callers
 * any names for them. What a batch was searched for goes where it found the person.
 */
function requestWithout({ tool, request, is_of_registrations }: RecordRow, { email }: Person): unknown {
  if (typeof request !== "object" || request === null) return request;
  if (tool.startsWith("ticketing:") && "fields" in request && containsAddress(request, email)) {
    return { ...request, fields: erased };
  }
  const { filter } = request as { filter?: { query?: unknown } };
  if (!is_of_registrations || typeof filter?.query !== "string") return request;
  return { ...request, filter: { ...filter, query: erased } };
}

/** Single-word names stay in other reasons: they may be ordinary words. */
const fullNamesOf = ({ names }: Account) => names.filter((name) => /\s/.test(name));

/** Whether the record contained anything of the person. */
async function eraseRecord(
  tx: Queryable,
  person: PersonWithAccount,
  row: RecordRow,
  previewOnly: boolean,
): Promise<boolean> {
  const { id, at: _at, tool, has_beginning, is_of_registrations, is_of_account, is_by_account, ...stored } = row;
  const losesKey = stored.idempotency_key !== null && keyContainsAddress(stored.idempotency_key, person.email);
  const concernsPerson = is_of_registrations || is_of_account || containsAddress(stored, person.email);
  const without = concernsPerson
    ? eraseFrom({ ...stored, request: requestWithout(row, person) }, person)
    : { ...stored, reason: eraseFrom(stored.reason, { ...person, names: fullNamesOf(person.account) }) };
  // Other records of the account's changes can name other inviters, such as those of invitations that it withdrew.
  const isInvitation = tool === "invite_member" || tool === "invite_person";
  const isErased = (inviter: string) => (is_by_account && isInvitation) || person.account.names.includes(inviter);
  const cleaned = eraseInviters(without, isErased) as typeof stored;
  if (!has_beginning && !losesKey && JSON.stringify(cleaned) === JSON.stringify(stored)) return false;
  if (previewOnly) return true;
  const [request, before, after, result] = recordColumns.map((name) =>
    cleaned[name] === null ? null : JSON.stringify(cleaned[name]),
  );
  // Without what was erased, the change cannot be reverted any more.
  const isKept = JSON.stringify(cleaned.row_changes) === JSON.stringify(stored.row_changes);
  // Keys are unique, also those that differed by the address only.
  const isKeyKept = !losesKey && cleaned.idempotency_key === stored.idempotency_key;
  const key = isKeyKept ? stored.idempotency_key : `${erased} ${id}`;
  await tx.query(sql`
    update mutation_records set reason = ${cleaned.reason}, idempotency_key = ${key}, request = ${request}, before = ${before},
      after = ${after}, result = ${result}, row_changes = case when ${isKept} then row_changes end
    where id = ${id}`);
  return true;
}
