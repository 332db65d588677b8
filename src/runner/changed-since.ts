import { type Change, changesBetween } from "../../contract/changes.js";
import { shortText } from "../../contract/shortened.js";
import type { CalledEvent } from "../access/hosting.js";
import type { Queryable } from "../infra/database/db.js";
import { namedChanges } from "../records/named-changes.js";
import { actorOf, type ExportedRecord, type RecordView, readRecordPage } from "../records/record-page.js";
import { textDifference } from "../records/text-difference.js";
import { timeOfKey } from "./commit-arguments.js";
import { inLocalTimes, isTimestamp, localClock } from "./local-times.js";
import { organizationOf, type ToolChange, type ToolState } from "./mutation.js";

/** A change that was made since a preview. `by` is null for somebody who was removed. */
export type EarlierChange = { record_id: string; at: string; by: string | null; tool: string; summary: string };

/** Records carry the time at which their transaction began, by the clock of the database. */
const toleranceMs = 1_000;

/** How far back the last change is looked for if the key of a commit does not say when its preview was made. */
const lookBackMs = 3_600_000;

const [readRecords, shownRecords, shownChanges] = [20, 3, 3];

/**
 * The last changes since the preview of a commit, of what its state and its arguments name, as the caller may see them. The
 * state is undefined if what it is about is gone.
 */
export async function changesSince<Services>(
  tx: Queryable,
  mutation: ToolChange<Services>,
  { current, event }: { current: ToolState | undefined; event: CalledEvent | undefined },
  idempotencyKey: string,
): Promise<EarlierChange[]> {
  const previewedAt = timeOfKey(idempotencyKey);
  const since = previewedAt === undefined ? Date.now() - lookBackMs : previewedAt - toleranceMs;
  const page = await readRecordPage(tx, viewOf(mutation, since), { limit: readRecords }, (record) => record);
  const isOfEvent = mutation.tool.event !== undefined;
  const records = page.items
    .map((item): ExportedRecord => JSON.parse(item))
    .filter((record) => (record.event !== null) === isOfEvent);
  const ids = new Set(idsIn([mutation.own, current ?? {}]));
  const ofRows = records.filter(({ request, before, after }) =>
    idsIn([request, before, after]).some((id) => ids.has(id)),
  );
  // What a condition finds no longer is neither in the state nor in the arguments.
  const related = ofRows.length > 0 ? ofRows : records.filter((record) => isOfFields(record, current ?? {}));
  const isNamed = ofRows.length > 0 || ids.size === 0;
  return related.slice(0, previewedAt === undefined ? 1 : shownRecords).map((record) => ({
    record_id: record.id,
    at: record.at,
    by: actorOf(record),
    tool: record.tool,
    summary: isNamed ? summaryOf(record, ids, event?.timezone) : `used ${record.tool}`,
  }));
}

/** Such as "Marcus Lindgren set venue to “Q2” at 13:02 (record …)". */
export function inWords(event: CalledEvent | undefined): (change: EarlierChange) => string {
  return ({ by, summary, at, record_id: id }) =>
    `${by ?? "Somebody"} ${summary} at ${timeOfDay(at, event)} (record ${id})`;
}

function viewOf<Services>(mutation: ToolChange<Services>, sinceMs: number): RecordView {
  const { tool, caller, input } = mutation;
  const since = new Date(sinceMs).toISOString();
  const event = tool.event === undefined ? undefined : String(input.event_id);
  if (caller.tier === "organization") {
    return { of: "organization", organizationId: caller.organizationId, filters: { event, since } };
  }
  return { of: "platform", filters: { since, organization: organizationOf(mutation) ?? undefined } };
}

/** Whether a record is about the same fields as the state, or about rows of the same kind. */
function isOfFields({ before, after }: ExportedRecord, current: ToolState): boolean {
  const kindOf = (path: string) => (/^\w+/.exec(path)?.[0] ?? "").replace(/s$/, "");
  const kinds = new Set(Object.keys(current).map(kindOf));
  return changesBetween(before ?? {}, after ?? {}).some(({ path }) => kinds.has(kindOf(path)));
}

/** Without what a record says of rows that the call is not about, of which the caller need not know. */
function summaryOf({ tool, before, after }: ExportedRecord, ids: Set<string>, timezone: string | undefined): string {
  const all = changesBetween(before ?? {}, after ?? {});
  const isOfOtherRow = (change: Change | undefined) => {
    const named = idsIn([change?.path, rowsOf(change)]);
    return named.length > 0 && !named.some((id) => ids.has(id));
  };
  // A state has a row that comes or goes by itself and in its list.
  const isRepeated = (change: Change | undefined, index: number) =>
    rowsOf(change).some((id) => all.slice(0, index).some((earlier) => rowsOf(earlier).includes(id)));
  const changes = namedChanges(before, after).filter(
    (_, index) => !isOfOtherRow(all[index]) && !isRepeated(all[index], index),
  );
  const phrases = changes.slice(0, shownChanges).map((change) => phraseOf(change, timezone));
  const more = changes.length - phrases.length;
  if (phrases.length === 0) return `used ${tool}`;
  return `${phrases.join(", ")}${more > 0 ? ` and changed ${more} more` : ""}`;
}

/** The id of the row that a change adds or removes. */
function rowsOf(change: Change | undefined): unknown[] {
  return [change?.from, change?.to].flatMap((row) => (isRow(row) && row.id !== undefined ? [row.id] : []));
}

type Row = { id?: unknown; name?: unknown; title?: unknown };

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function phraseOf({ path, from, to }: Change, timezone: string | undefined): string {
  if (from === null && typeof to === "object") return `added ${withName(path, to)}`;
  if (to === null) return typeof from === "object" ? `removed ${withName(path, from)}` : `cleared ${path}`;
  return typeof to === "object" ? `changed ${path}` : `set ${path} to ${shownValue(from, to, timezone)}`;
}

/** A path such as `speaker` does not name its row. */
function withName(path: string, row: unknown): string {
  const name = isRow(row) && !path.includes("[") ? (row.name ?? row.title) : undefined;
  return typeof name === "string" ? `${path} “${shortText(name, shownCharacters)}”` : path;
}

const shownCharacters = 80;

/** Of a long text, what differs. */
function shownValue(from: unknown, to: unknown, timezone: string | undefined): string {
  if (typeof to !== "string") return String(to);
  if (isTimestamp(to)) return `“${inLocalTimes(to, timezone)}”`;
  const limits = { longest: shownCharacters, whole: shownCharacters };
  return `“${typeof from === "string" ? textDifference(from, to, limits).to : shortText(to, shownCharacters)}”`;
}

function timeOfDay(at: string, event: CalledEvent | undefined): string {
  const local = localClock(event?.timezone ?? "UTC")(at);
  return `${local.slice(11, 16)}${event === undefined ? " UTC" : ""}`;
}

function idsIn(value: unknown): string[] {
  return JSON.stringify(value).match(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g) ?? [];
}
