import { type Change, changesBetween } from "../../contract/changes.js";
import { shortText } from "../../contract/shortened.js";
import { uuidPattern } from "../infra/ids.js";

const nameLength = 60;

/**
 * The differences between two recorded states, in which rows have their names instead of their ids:
 * `segments[Opening keynote].start_time`. Rows without a name in these states keep their ids.
 */
export function namedChanges(before: unknown, after: unknown): Change[] {
  if (before === null && after === null) return [];
  const states = [before, after];
  const labels = labelsIn(states);
  const named = (id: unknown) => (typeof id === "string" ? labels.get(id) : undefined);
  const withNames = (value: unknown) =>
    Array.isArray(value) && value.every((id) => named(id) !== undefined) ? value.map(named) : value;
  /** The name of the only row of its kind, such as `registration.status`. */
  const nameOfOnly = (noun: string) => states.map((state) => named(own(own(state, noun), "id"))).find(Boolean);
  const namedPath = (path: string) =>
    path
      .replaceAll(/\[([^\]]+)\]/g, (part, id) => (labels.has(id) ? `[${labels.get(id)}]` : part))
      .replaceAll(/\.([^.[\]]+)/g, (part, id) => (labels.has(id) ? `[${labels.get(id)}]` : part))
      .replace(/^(\w+)\./, (part, noun) => (nameOfOnly(noun) === undefined ? part : `${noun}[${nameOfOnly(noun)}].`));
  return changesBetween(before ?? {}, after ?? {}).map(({ path, from, to }) => ({
    path: namedPath(path),
    from: withNames(from),
    to: withNames(to),
  }));
}

/** What the rows of the states are called, by id. Rows of the same name also have their ids. */
function labelsIn(states: unknown[]): Map<string, string> {
  const names = new Map<string, string>();
  const collect = (value: unknown, key?: string) => {
    if (typeof value !== "object" || value === null) return;
    // Some lists of rows are objects whose keys are ids.
    const id = own(value, "id") ?? (key !== undefined && uuidPattern.test(key) ? key : undefined);
    const name = nameOf(value);
    if (typeof id === "string" && name !== undefined && !names.has(id)) names.set(id, name);
    for (const [field, part] of Object.entries(value)) collect(part, field);
  };
  for (const state of states) collect(state);
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...names].map(([id, name]) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name]));
}

/** Rows that connect two others have the names of these. */
function nameOf(row: object): string | undefined {
  const [name] = ["name", "title", "organization"].map((field) => own(row, field)).filter(isText);
  const parts = ["segment", "speaker"].map((field) => own(row, field)).filter(isText);
  return shortText(name ?? (parts.length === 0 ? null : parts.join(", ")), nameLength) ?? undefined;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function own(value: unknown, field: string): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
}
