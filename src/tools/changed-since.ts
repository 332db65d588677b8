import type { CalledEvent } from "../access/hosting.js";
import type { Queryable } from "../platform/database/db.js";
import { shortText } from "./bounded.js";
import { type Change, changesBetween } from "./changes.js";
import { localClock } from "./local-times.js";
import type { ToolState } from "./mutation.js";
import { namedChanges } from "./named-changes.js";
import { actorOf, type ExportedRecord, type RecordView, readRecordPage } from "./record-page.js";
import { timeOfKey } from "./timed-key.js";
import { organizationOf, type ToolChange } from "./tool-change.js";

/** A change that was made since a preview. `by` is null for somebody who was removed. */
export type EarlierChange = { record_id: string; at: string; by: string | null; tool: string; summary: string };

/** Records carry the time at which their transaction began, by the clock of the database. */
const toleranceMs = 1_000;

/** How far back the last change is looked for if the key of a commit does not say when its preview was made. */
const lookBackMs = 3_600_000;

const [readRecords, shownRecords, shownChanges] = [20, 3, 3];

/** The last changes since the preview of a commit, of what its state is about, as the caller may see them. */
export async function changesSince<Services>(
  tx: Queryable,
  mutation: ToolChange<Services>,
  current: ToolState,
  idempotencyKey: string,
): Promise<EarlierChange[]> {
  const previewedAt = timeOfKey(idempotencyKey);
  const since = previewedAt === undefined ? Date.now() - lookBackMs : previewedAt - toleranceMs;
  const page = await readRecordPage(tx, viewOf(mutation, since), { limit: readRecords }, (record) => record);
  const records: ExportedRecord[] = page.items.map((item) => JSON.parse(item));
  const isOfEvent = mutation.tool.event !== undefined;
  const related = records.filter((record) => (record.event !== null) === isOfEvent && isAbout(record, current));
  return related.slice(0, previewedAt === undefined ? 1 : shownRecords).map((record) => ({
    record_id: record.id,
    at: record.at,
    by: actorOf(record),
    tool: record.tool,
    summary: summaryOf(record, current),
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

/** Whether a record is about rows of the state, or, where that has none, about its fields. */
function isAbout({ request, before, after }: ExportedRecord, current: ToolState): boolean {
  const ids = new Set(idsIn(current));
  if (ids.size > 0) return idsIn([request, before, after]).some((id) => ids.has(id));
  return changesBetween(before ?? {}, after ?? {}).some(({ path }) => path in current);
}

/** Without what a record says of other rows, of which the caller need not know. */
function summaryOf({ before, after }: ExportedRecord, current: ToolState): string {
  const ids = new Set(idsIn(current));
  const paths = changesBetween(before ?? {}, after ?? {}).map(({ path }) => path);
  const isOfOtherRow = (path: string) => path.includes("[") && !idsIn(path).some((id) => ids.has(id));
  const changes = namedChanges(before, after).filter((_, place) => !isOfOtherRow(paths[place] ?? ""));
  const phrases = changes.slice(0, shownChanges).map(phraseOf);
  const more = changes.length - phrases.length;
  if (phrases.length === 0) return "changed it";
  return `${phrases.join(", ")}${more > 0 ? ` and changed ${more} more` : ""}`;
}

function phraseOf({ path, from, to }: Change): string {
  if (from === null && typeof to === "object") return `added ${path}`;
  if (to === null) return `${typeof from === "object" ? "removed" : "cleared"} ${path}`;
  return typeof to === "object" ? `changed ${path}` : `set ${path} to ${shownValue(to)}`;
}

const shownCharacters = 80;

function shownValue(value: unknown): string {
  return typeof value === "string" ? `“${shortText(value, shownCharacters)}”` : String(value);
}

function timeOfDay(at: string, event: CalledEvent | undefined): string {
  const local = localClock(event?.timezone ?? "UTC")(at);
  return `${local.slice(11, 16)}${event === undefined ? " UTC" : ""}`;
}

function idsIn(value: unknown): string[] {
  return JSON.stringify(value).match(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g) ?? [];
}
