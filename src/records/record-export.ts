import { Readable } from "node:stream";
import { sentenceOf, sentenceText } from "../../contract/change-sentence.js";
import { viaWords } from "../../contract/nouns.js";
import { byteOrderMark, csvLine } from "../infra/csv.js";
import type { Queryable } from "../infra/database/db.js";
import { boundedChanges } from "./bounded-changes.js";
import { namedChanges } from "./named-changes.js";
import { actorOf, type ExportedRecord, listedRecord, type RecordView, readRecordBatches } from "./record-page.js";

/** The columns of the file, in their order. */
const columns: Record<string, (record: ExportedRecord) => string | null> = {
  Time: ({ at }) => at,
  Who: actorOf,
  Email: ({ user }) => user?.email ?? null,
  How: ({ via }) => viaWords[via],
  "Key or app": ({ api_key, app }) => api_key?.name ?? app?.name ?? null,
  Change: (record) => sentenceText(sentenceOf(listedRecord(record)), record.event?.name ?? undefined),
  Event: ({ event }) => event?.name ?? null,
  Organization: ({ organization }) => organization?.name ?? null,
  Reason: ({ reason }) => reason,
  Differences: differencesOf,
  "Undone by": ({ undone }) => (undone === null ? null : (undone.by ?? "Someone who was removed")),
  "Undone at": ({ undone }) => undone?.at ?? null,
  Tool: ({ tool }) => tool,
  "Record id": ({ id }) => id,
};

/** All matching records as CSV, newest first, read in batches as fast as the reader takes them. */
export function exportRecords(db: Queryable, view: RecordView): Readable {
  async function* lines() {
    yield byteOrderMark + csvLine(Object.keys(columns));
    for await (const records of readRecordBatches(db, view)) {
      yield records.map((record) => csvLine(Object.values(columns).map((cell) => cell(record)))).join("");
    }
  }
  return Readable.from(lines(), { highWaterMark: 1 });
}

/** "venue: Pier 4 → Harbour Hall", a line each, of which a list also has the first only. */
function differencesOf({ before, after }: ExportedRecord): string {
  const named = new Map(namedChanges(before, after).map((change, place) => [place, change.path]));
  return boundedChanges({ before, after })
    .changes.map(({ path, from, to }, place) => `${named.get(place) ?? path}: ${inWords(from)} → ${inWords(to)}`)
    .join("\n");
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "empty";
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .filter(([name]) => name !== "id" && !name.endsWith("_id"))
    .map(([name, part]) => `${name.replaceAll("_", " ")} ${inWords(part)}`)
    .join("; ");
}
