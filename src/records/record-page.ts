import sql, { type Sql } from "sql-template-tag";
import type { adminRecordFilters, ListedRecord, recordFilters } from "../../contract/console/records.js";
import { doorLinkActor } from "../../contract/door-links.js";
import { isOfOffer } from "../access/hosting.js";
import { eventsAroundNow, hostedEvents, unlistedStateFor } from "../access/visibility.js";
import type { Queryable } from "../infra/database/db.js";
import { comesAfterIn, type KeysetPage, type Position, readPage } from "../infra/database/keyset-page.js";
import { matchesWords } from "../infra/database/text-search.js";
import { type Conditions, type FilterValues, filterConditions } from "../schema/filters.js";
import { boundedChanges } from "./bounded-changes.js";
import { subjectsOf } from "./subjects.js";

const conditions: Conditions<typeof adminRecordFilters> = {
  event: (id) => sql`r.event_id = ${id}`,
  person: (id) => sql`r.user_id = ${id}`,
  key: (id) => sql`r.api_key_id = ${id}`,
  app: (id) => sql`r.app_id = ${id}`,
  tool: (tool) => sql`r.tool = ${tool}`,
  via: (via) => sql`r.via = ${via}`,
  since: (at) => sql`r.at >= ${at}::timestamptz`,
  text: (text) =>
    matchesWords(
      sql`search_text(concat_ws(' ', r.reason, replace(r.tool, '_', ' '), r.operator,
        (select name from events where id = r.event_id), (select name from users where id = r.user_id),
        (select name from api_keys where id = r.api_key_id), (select name from connected_apps where id = r.app_id),
        (select name from door_links where id = r.door_link_id)))`,
      text,
    ),
  until: (at) => sql`r.at < ${at}::timestamptz`,
  organization: (id) => sql`r.organization_id = ${id}`,
};

/**
 * Whose records are read: all, or those of an organization, which are its own and those of the events that it hosts: in a
 * page, of those nearest in time, unless one is named. Of the latter it sees what changed, but not who did it, only their
 * organization (docs/decisions/roles-and-secrets.md).
 */
export type RecordView = (
  | { of: "platform"; filters: FilterValues<typeof adminRecordFilters> }
  | { of: "organization"; organizationId: string; filters: FilterValues<typeof recordFilters> }
) & {
  /** A change that was committed in parts is shown once, as its first part. */
  folded?: boolean;
};

/** A record as a line of an export, with both states instead of their difference. */
export type ExportedRecord = Omit<ListedRecord, "about" | "effect" | "changes" | "changes_in_all"> & {
  request: unknown;
  before: unknown;
  after: unknown;
};

/** The most records that a text search reads, which no index serves: the newest that match the other filters. */
export const searchedRecords = 10_000;

/** One page of records, newest first, each as `shown` by the reader. */
export async function readRecordPage(
  db: Queryable,
  view: RecordView,
  query: { cursor?: string | undefined; limit: number },
  shown: (record: ExportedRecord) => object = listedRecord,
): Promise<KeysetPage> {
  const page = await readPage(db, ["records", view], query, (after, limit) =>
    selectRecords(view, positions(view, after, { limit, searched: searchedRecords })),
  );
  return { ...page, items: page.items.map((item) => JSON.stringify(shown(JSON.parse(item)))) };
}

/** Who made a change, as the reader may know it: of others, their organization. Null for somebody who was removed. */
export function actorOf({ own, operator, user, organization, door_link: door }: ExportedRecord): string | null {
  if (!own) return organization?.name ?? null;
  if (door !== null) return doorLinkActor(user?.name ?? null, door.name);
  return operator ?? user?.name ?? null;
}

/** One record, which the caller was found to see. */
export async function getExportedRecord(db: Queryable, view: RecordView, id: string): Promise<ExportedRecord> {
  const [row] = await db.query<{ item: string }>(selectRecords(view, sql`(select ${id}::uuid as id)`));
  if (row === undefined) throw new Error(`no record has the id ${id}`);
  return JSON.parse(row.item);
}

const exportBatch = 500;

/** All matching records, newest first. An export is complete: it looks at all records. */
export async function* readRecordBatches(db: Queryable, view: RecordView): AsyncGenerator<ExportedRecord[]> {
  for (let after: Position | null = null; ; ) {
    const found = positions(view, after, { limit: exportBatch, searched: null });
    const rows: { item: string; position: Position }[] = await db.query(selectRecords(view, found));
    if (rows.length > 0) yield rows.map(({ item }) => JSON.parse(item));
    const last = rows.at(-1);
    if (last === undefined || rows.length < exportBatch) return;
    after = last.position;
  }
}

export function listedRecord({ request: _, before, after, warnings, ...record }: ExportedRecord): ListedRecord {
  const effect =
    before === null && after !== null ? "created" : after === null && before !== null ? "removed" : "changed";
  // Early records have some as texts.
  const coded = warnings.filter((warning) => typeof warning === "object");
  return { ...record, effect, about: subjectsOf(before, after), ...boundedChanges({ before, after }), warnings: coded };
}

/** The records whose ids were found, newest first. */
function selectRecords(view: RecordView, found: Sql): Sql {
  const isOwn =
    view.of === "platform" ? sql`true` : sql`(r.organization_id is not distinct from ${view.organizationId})`;
  // Who was offered the event is the business of the organizations that the offer is between, whoever made the record.
  const offered = sql`array[r.before #>> '{offer,from,id}', r.before #>> '{offer,to,id}',
    r.after #>> '{offer,from,id}', r.after #>> '{offer,to,id}']`;
  const withoutOffer = (state: Sql) =>
    view.of === "platform"
      ? state
      : sql`case when ${view.organizationId}::text = any (${offered}) then ${state} else ${state} - 'offer' end`;
  const parts =
    view.folded === true
      ? sql`(
        select case when count(*) > 1 then json_build_object('count', count(*), 'changed', sum(coalesce(
          (part.result ->> 'changed')::int, jsonb_array_length(part.row_changes), 0)),
          'reverted', count(revert_in_effect(part.id))) end
        from mutation_records part where part.id = r.id or part.part_of = r.id)`
      : sql`null`;
  const unlisted = view.of === "platform" ? sql`null` : unlistedStateFor(view.organizationId);
  const hosting =
    view.of === "platform"
      ? sql`null`
      : sql`coalesce(
          (select role from ${hostedEvents(view.organizationId)} hosted where hosted.id = r.event_id),
          case when ${unlisted} is not null then 'host' end)`;
  return sql`
    select row_to_json(item)::text as item, array[iso8601(r.at), r.id::text] as position
    from ${found} found, lateral (select * from mutation_records where id = found.id limit 1) r
    left join organizations o on o.id = r.organization_id
    left join events e on e.id = r.event_id
    left join users u on u.id = r.user_id
    left join api_keys k on k.id = r.api_key_id
    left join connected_apps a on a.id = r.app_id
    left join door_links d on d.id = r.door_link_id
    cross join lateral (select revert_in_effect(r.id) as id) undoing,
    lateral (
      select r.id, iso8601(r.at) as at, r.tool, r.via, ${isOwn} as own,
        case when o.id is not null then json_build_object('id', o.id, 'slug', o.slug, 'name', o.name) end as organization,
        case when r.event_id is not null then json_build_object('id', r.event_id, 'name', e.name, 'timezone', e.timezone) end as event,
        case when ${isOwn} and r.user_id is not null
          then json_build_object('id', r.user_id, 'name', u.name, 'email', u.email) end as user,
        case when ${isOwn} and r.api_key_id is not null
          then json_build_object('id', r.api_key_id, 'name', k.name) end as api_key,
        case when ${isOwn} and r.app_id is not null then json_build_object('id', r.app_id, 'name', a.name) end as app,
        case when ${isOwn} and r.door_link_id is not null
          then json_build_object('id', r.door_link_id, 'name', d.name) end as door_link,
        case when ${isOwn} then r.operator end as operator, case when ${isOwn} then r.reason end as reason,
        r.request, ${withoutOffer(sql`r.before`)} as before, ${withoutOffer(sql`r.after`)} as after,
        case when jsonb_typeof(r.result -> 'warnings') = 'array' then r.result -> 'warnings' else '[]' end as warnings,
        case when r.before is null and r.after is null then r.result end as outcome,
        case when r.tool = 'revert_change' then r.result -> 'reverts' end as reverts,
        ${actionOfRecord} as action, ${undoneFor(view)} as undone, undoing.id as reverted_by, ${hosting} as hosting,
        coalesce(${unlisted} = 'cancelled', false) as cancelled, ${isUnchanged} as unchanged, ${parts} as parts,
        (select json_agg(distinct kept ->> 'table') from jsonb_array_elements(r.row_changes) kept) as kept_tables) item
    order by r.at desc, r.id desc`;
}

const actionIn = (record: Sql): Sql =>
  sql`coalesce(${record}.request ->> 'action', ${record}.request ->> 'checked_in', ${record}.request ->> 'published')`;

/** The argument of a record r that decides what its tool does; of a revert, of what it reverted. */
const actionOfRecord = sql`
  case when r.tool = 'revert_change'
    then (select ${actionIn(sql`origin`)} from mutation_records origin where origin.id = (r.request ->> 'record_id')::uuid)
    else ${actionIn(sql`r`)} end`;

/** Who made the revert in effect, `undoing`, as the reader may know it. */
function undoneFor(view: RecordView): Sql {
  const isOwn =
    view.of === "platform" ? sql`true` : sql`(undo.organization_id is not distinct from ${view.organizationId})`;
  return sql`(
    select json_build_object('at', iso8601(undo.at), 'by', case when ${isOwn}
      then coalesce(undo.operator, (select name from users where id = undo.user_id))
      else (select name from organizations where id = undo.organization_id) end)
    from mutation_records undo where undo.id = undoing.id)`;
}

/** Whether the commit of a record r found nothing to change: its result then has a message. */
export const isUnchanged = sql`(r.before is not null and r.result -> 'message' is not null)`;

/** The ids of one page, from indexes that are in the order of the list. */
function positions(view: RecordView, after: Position | null, rows: { limit: number; searched: number | null }): Sql {
  const earlier = comesAfterIn("desc", sql`r.at, r.id`, after);
  const inOrder = sql`order by r.at desc, r.id desc`;
  const newest = sql`${inOrder} limit ${rows.limit}`;
  const { text, ...others } = view.filters;
  const matches = sql`${filterConditions(conditions, others)} and ${earlier}
    and ${view.folded === true ? sql`r.part_of is null` : sql`true`}`;
  const selected = (condition: Sql) => {
    const found = sql`select r.* from mutation_records r where ${condition} and ${matches}`;
    if (text === undefined) return sql`${found} ${newest}`;
    // A null limit is none.
    return sql`
      select r.* from (${found} ${inOrder} limit ${rows.searched}) r
      where ${filterConditions(conditions, { text })} ${newest}`;
  };
  if (view.of === "platform") return sql`(${selected(sql`true`)})`;
  const { organizationId, filters } = view;
  const own = selected(sql`r.organization_id = ${organizationId}`);
  // A filter by who or text finds no change of others: it would reveal who made it, and why.
  const { person, key, app } = filters;
  if ([person, key, app, text].some((given) => given !== undefined)) return sql`(${own})`;
  const ofOthers = sql`
    r.event_id = hosted.id and r.organization_id is distinct from ${organizationId} and not ${isOfOffer}
    and r.at >= (select at from oldest)`;
  const [events, hosted] =
    filters.event === undefined
      ? [rows.searched === null ? hostedEvents(organizationId) : eventsAroundNow(organizationId), sql`true`]
      : [hostedEvents(organizationId), sql`hosted.id = ${filters.event}`];
  // What others did before the last of a full page of own records is not on this page.
  return sql`(
    with own as materialized (select own.id, own.at from (${own}) own),
    oldest as materialized (
      select case when count(*) < ${rows.limit} then '-infinity' else min(at) end as at from own)
    select r.id from (
      select id, at from own
      union all
      select other.id, other.at from ${events} hosted, lateral (${selected(ofOthers)}) other
      where ${hosted}) r
    ${newest})`;
}
