import { Readable } from "node:stream";
import sql, { type Sql } from "sql-template-tag";
import { z } from "zod";
import { hostedEvents } from "../access/visibility.js";
import type { Queryable } from "../platform/database/db.js";
import { type KeysetPage, type Position, readPage } from "../platform/database/keyset-page.js";
import { matchesWords } from "../platform/database/text-search.js";
import { line, timestamp, uuid } from "../schema/fields.js";
import { type Filters, type FilterValues, filterConditions } from "../schema/filters.js";
import { type BoundedChanges, boundedChanges } from "./bounded-changes.js";

/** How an actor came in. */
export const recordVia = z.enum(["key", "console", "command_line"]);

/** What a list of records can be filtered by: conditions on a row r of mutation_records. */
export const recordFilters = {
  event: { query: uuid.optional(), condition: (id) => sql`r.event_id = ${id}` },
  person: { query: uuid.optional(), condition: (id) => sql`r.user_id = ${id}` },
  tool: { query: line(100).optional(), condition: (tool) => sql`r.tool = ${tool}` },
  via: { query: recordVia.optional(), condition: (via) => sql`r.via = ${via}` },
  since: { query: timestamp.optional(), condition: (at) => sql`r.at >= ${at}::timestamptz` },
  text: {
    query: line(200).optional(),
    condition: (text) =>
      matchesWords(
        sql`search_text(concat_ws(' ', r.reason, replace(r.tool, '_', ' '), r.operator,
          (select name from events where id = r.event_id), (select name from users where id = r.user_id),
          (select name from api_keys where id = r.api_key_id)))`,
        text,
      ),
  },
  until: { query: timestamp.optional(), condition: (at) => sql`r.at < ${at}::timestamptz` },
} satisfies Filters;

/** The same, and the organization whose history a record belongs to: for platform administrators. */
export const platformRecordFilters = {
  ...recordFilters,
  organization: { query: uuid.optional(), condition: (id) => sql`r.organization_id = ${id}` },
} satisfies Filters;

/**
 * Whose records are read: all, or those of an organization, which are its own and those of the events that it hosts. Of the
 * latter it sees what changed, but not who did it, only their organization (docs/decisions/roles-and-secrets.md).
 */
export type RecordView =
  | { of: "platform"; filters: FilterValues<typeof platformRecordFilters> }
  | { of: "organization"; organizationId: string; filters: FilterValues<typeof recordFilters> };

/** A record as a line of an export. `own` is false for one whose actor is not shown. */
export type ExportedRecord = {
  id: string;
  at: string;
  tool: string;
  via: z.output<typeof recordVia>;
  own: boolean;
  organization: { id: string; slug: string; name: string } | null;
  event: { id: string; name: string | null } | null;
  /** Name and e-mail address are null for a person who was removed. */
  user: { id: string; name: string | null; email: string | null } | null;
  api_key: { id: string; name: string | null } | null;
  operator: string | null;
  reason: string | null;
  request: unknown;
  before: unknown;
  after: unknown;
  /** The outcome of a change outside the service, or of an import, for which no states are known. */
  outcome: unknown;
};

/** A record as a page shows it: the difference instead of both states, and long texts shortened. */
export type ListedRecord = Omit<ExportedRecord, "request" | "before" | "after"> &
  BoundedChanges & { effect: "created" | "removed" | "changed" };

/** A search by text, which no index serves, looks at so many records that match the other filters, the newest first. */
export const searchedRecords = 10_000;

/** One page of records, newest first. */
export async function readRecordPage(
  db: Queryable,
  view: RecordView,
  query: { cursor?: string | undefined; limit: number },
): Promise<KeysetPage> {
  const page = await readPage(db, ["records", view], query, (after, limit) =>
    selectRecords(view, after, limit, searchedRecords),
  );
  return { ...page, items: page.items.map((item) => JSON.stringify(listed(JSON.parse(item)))) };
}

const exportBatch = 500;

/** All matching records as lines of JSON, newest first, read in batches as fast as the reader takes them. */
export function exportRecords(db: Queryable, view: RecordView): Readable {
  async function* lines() {
    for (let after: Position | null = null; ; ) {
      const rows: { item: string; position: Position }[] = await db.query(selectRecords(view, after, exportBatch));
      if (rows.length > 0) yield rows.map(({ item }) => `${item}\n`).join("");
      const last = rows.at(-1);
      if (last === undefined || rows.length < exportBatch) return;
      after = last.position;
    }
  }
  return Readable.from(lines());
}

function listed({ request: _, before, after, ...record }: ExportedRecord): ListedRecord {
  const effect =
    before === null && after !== null ? "created" : after === null && before !== null ? "removed" : "changed";
  return { ...record, effect, ...boundedChanges(before, after) };
}

/** An export is complete: without `searched` it looks at all records. */
function selectRecords(view: RecordView, after: Position | null, limit: number, searched: number | null = null): Sql {
  const isOwn =
    view.of === "platform" ? sql`true` : sql`(r.organization_id is not distinct from ${view.organizationId})`;
  return sql`
    select row_to_json(item)::text as item, array[iso8601(r.at), r.id::text] as position
    from ${positions(view, after, { limit, searched })} found, lateral (select * from mutation_records where id = found.id limit 1) r
    left join organizations o on o.id = r.organization_id
    left join events e on e.id = r.event_id
    left join users u on u.id = r.user_id
    left join api_keys k on k.id = r.api_key_id,
    lateral (
      select r.id, iso8601(r.at) as at, r.tool, r.via, ${isOwn} as own,
        case when o.id is not null then json_build_object('id', o.id, 'slug', o.slug, 'name', o.name) end as organization,
        case when r.event_id is not null then json_build_object('id', r.event_id, 'name', e.name) end as event,
        case when ${isOwn} and r.user_id is not null
          then json_build_object('id', r.user_id, 'name', u.name, 'email', u.email) end as user,
        case when ${isOwn} and r.api_key_id is not null
          then json_build_object('id', r.api_key_id, 'name', k.name) end as api_key,
        case when ${isOwn} then r.operator end as operator, case when ${isOwn} then r.reason end as reason,
        r.request, r.before, r.after, case when r.before is null and r.after is null then r.result end as outcome) item
    order by r.at desc, r.id desc`;
}

/** The ids of one page, from indexes that are in the order of the list. */
function positions(view: RecordView, after: Position | null, rows: { limit: number; searched: number | null }): Sql {
  const earlier = after === null ? sql`true` : sql`(r.at, r.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const inOrder = sql`order by r.at desc, r.id desc`;
  const newest = sql`${inOrder} limit ${rows.limit}`;
  const { text, ...others } = view.filters;
  const matches = sql`${filterConditions(platformRecordFilters, others)} and ${earlier}`;
  const selected = (condition: Sql) => {
    const found = sql`select r.* from mutation_records r where ${condition} and ${matches}`;
    if (text === undefined) return sql`${found} ${newest}`;
    // A null limit is none.
    return sql`
      select r.* from (${found} ${inOrder} limit ${rows.searched}) r
      where ${filterConditions(recordFilters, { text })} ${newest}`;
  };
  if (view.of === "platform") return sql`(${selected(sql`true`)})`;
  const { organizationId, filters } = view;
  const own = selected(sql`r.organization_id = ${organizationId}`);
  // A filter by person or text finds no change of others: it would reveal who made it, and why.
  if (filters.person !== undefined || filters.text !== undefined) return sql`(${own})`;
  const ofOthers = sql`r.event_id = hosted.id and r.organization_id is distinct from ${organizationId}`;
  const hosted = filters.event === undefined ? sql`true` : sql`hosted.id = ${filters.event}`;
  return sql`(
    select r.id from (
      (select own.id, own.at from (${own}) own)
      union all
      select other.id, other.at from ${hostedEvents(organizationId)} hosted, lateral (${selected(ofOthers)}) other
      where ${hosted}) r
    ${newest})`;
}
