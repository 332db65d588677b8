import { canonicalJson } from "../../contract/canonical-json.js";
import type { Subject } from "../../contract/change-sentence.js";
import { shortText } from "../../contract/shortened.js";
import { uuidPattern } from "../infra/ids.js";

/** What the rows of recorded states are called, by the name of their list. */
const kinds: Record<string, string> = {
  registration: "guest",
  registrations: "guest",
  speaker: "speaker",
  speakers: "speaker",
  segment: "segment",
  segments: "segment",
  poster: "poster",
  posters: "poster",
  draft: "poster",
  drafts: "poster",
  door_link: "door_link",
  key: "key",
  api_key: "key",
};

const maximumSubjects = 5;
const nameLength = 80;

/** The rows that differ between two recorded states, by the names in these: no other row is read. */
export function subjectsOf(before: unknown, after: unknown): { subjects: Subject[]; in_all: number } {
  for (const list of Object.keys(kinds)) {
    const rows = changedRows(list, fieldOf(before, list), fieldOf(after, list));
    // A state may show the same row alone and in its list, or a segment with its speakers.
    if (rows.length > 0) return { subjects: rows.slice(0, maximumSubjects), in_all: rows.length };
  }
  return { subjects: [], in_all: 0 };
}

function changedRows(list: string, before: unknown, after: unknown): Subject[] {
  const [old, now] = [rowsOf(before), rowsOf(after)];
  const ids = new Set([...old.keys(), ...now.keys()]);
  return [...ids].flatMap((id) => {
    const [from, to] = [old.get(id), now.get(id)];
    if (canonicalJson(from ?? null) === canonicalJson(to ?? null)) return [];
    const name = nameOf(to) ?? nameOf(from);
    return name === undefined ? [] : [{ kind: kinds[list] ?? "row", id: uuidPattern.test(id) ? id : null, name }];
  });
}

/** One row, a list of rows, or rows by id. A row without an id has none yet. */
function rowsOf(value: unknown): Map<string, object> {
  if (typeof value !== "object" || value === null) return new Map();
  if (Array.isArray(value)) return new Map(value.filter(isObject).map((row, place) => [idOf(row) ?? `${place}`, row]));
  const entries = Object.entries(value);
  const isById = entries.length > 0 && entries.every(([id, row]) => uuidPattern.test(id) && isObject(row));
  return isById ? new Map(entries) : new Map([[idOf(value) ?? "only", value]]);
}

function nameOf(row: object | undefined): string | undefined {
  const name = [fieldOf(row, "name"), fieldOf(row, "title")].find((text) => typeof text === "string" && text !== "");
  return typeof name === "string" ? (shortText(name, nameLength) ?? undefined) : undefined;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function idOf(row: object): string | undefined {
  const id = fieldOf(row, "id");
  return typeof id === "string" ? id : undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return isObject(value) && Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
}
