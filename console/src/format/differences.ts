import { capitalized } from "../../../contract/capitalized.ts";
import { placeInList } from "../../../contract/list-places.ts";
import type { FieldChange, Json } from "../api/tools.ts";
import { formatCount } from "./counts.ts";
import { formatTime } from "./times.ts";

/** One line of a difference, ready to be shown. `text` differences are shown word by word. */
export type Difference =
  | { kind: "value"; label: string; from: string | null; to: string | null; isPicture?: boolean }
  | { kind: "text"; label: string; from: string; to: string }
  | { kind: "row"; label: string; change: "added" | "removed"; fields: { name: string; value: string }[] }
  | { kind: "order"; label: string; to: string[] };

/** From this length on, a text is compared word by word. */
const longText = 60;
const maximumFields = 12;

export function differencesOf(changes: FieldChange[], current: Json, proposed: Json, zone: string): Difference[] {
  return changes.map((change) => differenceOf(change, { current, proposed, zone }));
}

type Context = { current: Json; proposed: Json; zone: string };

function differenceOf({ path, from, to }: FieldChange, context: Context): Difference {
  const label = labelOf(path, context);
  if (isIdList(from) && isIdList(to) && from.length > 1 && sameMembers(from, to)) {
    const names = rowNames(path, context);
    return { kind: "order", label: `Order of ${label.toLowerCase()}`, to: to.map((id) => names.get(id) ?? id) };
  }
  if (isIdList(from) && isIdList(to)) return { kind: "value", label, ...membersOf(from, to) };
  const line = placeInList(context.proposed, { path }, to) ?? placeInList(context.current, { path }, from);
  if (line !== undefined) {
    const fields = [{ name: line.name, value: line.place }];
    return { kind: "row", label: listLabel(label), change: to === null ? "removed" : "added", fields };
  }
  if (from === null && isRecord(to)) return { kind: "row", label, change: "added", fields: fieldsOf(to, context.zone) };
  if (isRecord(from) && to === null)
    return { kind: "row", label, change: "removed", fields: fieldsOf(from, context.zone) };
  if (isPicture(path) && isTextOrNull(from) && isTextOrNull(to)) {
    return { kind: "value", label: label.replace(/ address$/, ""), from, to, isPicture: true };
  }
  if (
    typeof from === "string" &&
    typeof to === "string" &&
    Math.max(from.length, to.length) >= longText &&
    !isTimestamp(to)
  ) {
    return { kind: "text", label, from, to };
  }
  return { kind: "value", label, from: describeValue(from, context.zone), to: describeValue(to, context.zone) };
}

/** Fields with the address of a picture, such as photo_url and logo_dark_url. */
const isPicture = (path: string): boolean => /(^|[._])(logo|logo_dark|photo|image|thumbnail)_url$/.test(path);

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** "Speakers › Ana Silva" is "Speakers" where the value names the row. */
const listLabel = (label: string): string => label.split(" › ").slice(0, -1).join(" › ") || label;

/** A value in words; null for an empty one. */
export function describeValue(value: unknown, zone: string): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return isTimestamp(value) ? formatTime(value, zone) : value;
  if (typeof value === "number") return formatCount(value);
  if (isIdList(value)) return value.length === 0 ? null : String(value.length);
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((item) => describeValue(item, zone) ?? "empty").join(", ");
  const named = isRecord(value) && "id" in value ? nameOf(value) : undefined;
  if (named !== undefined) return named;
  const parts = Object.entries(value).map(
    ([name, part]) => `${wordsOf(name)}: ${describeValue(part, zone) ?? "empty"}`,
  );
  return parts.length === 0 ? null : parts.join("; ");
}

/** Which rows a list of ids names is not known here; how many come and go is. */
function membersOf(from: string[], to: string[]): { from: string | null; to: string | null } {
  const added = to.filter((id) => !from.includes(id)).length;
  const removed = from.filter((id) => !to.includes(id)).length;
  const changes = from.length > 0 && to.length > 0 ? ` (${added} added, ${removed} removed)` : "";
  return { from: describeValue(from, ""), to: to.length === 0 ? null : `${to.length}${changes}` };
}

/** "speakers[7f…].job_title" → "Speakers › Ana Silva › Job title". A row without a known name is left out. */
function labelOf(path: string, { current, proposed }: Context): string {
  const parts: (string | undefined)[] = [];
  let places: unknown[] = [proposed, current];
  for (const [, name, id] of path.matchAll(/([^.[\]]+)|\[([^\]]+)\]/g)) {
    if (name !== undefined) {
      places = places.map((place) => (isRecord(place) ? place[name] : undefined));
      parts.push(isId(name) ? firstName(places) : wordsOf(name));
    } else if (id !== undefined && id !== "new") {
      places = places.map((place) =>
        Array.isArray(place) ? place.find((row) => isRecord(row) && row.id === id) : undefined,
      );
      parts.push(firstName(places));
    }
  }
  return parts.filter((part) => part !== undefined).join(" › ");
}

const firstName = (places: unknown[]) => places.map(nameOf).find((found) => found !== undefined);

function rowNames(path: string, { current, proposed }: Context): Map<string, string> {
  const rows = [current, proposed].flatMap((state) => {
    const found = path.split(".").reduce<unknown>((place, name) => (isRecord(place) ? place[name] : undefined), state);
    return Array.isArray(found) ? found : [];
  });
  return new Map(rows.filter(isRecord).map((row) => [String(row.id), nameOf(row) ?? String(row.id)]));
}

const nameFields = ["name", "full_name", "display_name", "title", "label", "email", "url"];

export function nameOf(row: unknown): string | undefined {
  if (!isRecord(row)) return undefined;
  const field = nameFields.find((name) => typeof row[name] === "string" && row[name] !== "");
  return field === undefined ? undefined : String(row[field]);
}

/** Ids say nothing to people. */
function fieldsOf(row: Json, zone: string): { name: string; value: string }[] {
  return Object.entries(row)
    .filter(([name]) => name !== "id" && !name.endsWith("_id"))
    .flatMap(([name, value]) => {
      const words = describeValue(value, zone);
      return words === null ? [] : [{ name: wordsOf(name), value: words }];
    })
    .slice(0, maximumFields);
}

const shortForms: Record<string, string> = { url: "address", urls: "addresses", id: "id", api: "API", qr: "QR" };

/** Fields whose names are not what people call them. */
const fieldNames: Record<string, string> = {
  timezone: "Time zone",
  posted_urls: "Posted links",
  count: "Number",
  first: "Among them",
  platform_admin: "Platform administrator",
  returned_at: "Returned",
};

/** "venue_address" → "Venue address". */
export function wordsOf(name: string): string {
  const known = fieldNames[name];
  if (known !== undefined) return known;
  const words = name
    .replace(/_ids$/, "s")
    .split("_")
    .map((word) => shortForms[word] ?? word)
    .join(" ");
  return capitalized(words);
}

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const isTimestamp = (text: string): boolean => timestampPattern.test(text);

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

const isIdList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && isId(item));

const sameMembers = (one: string[], other: string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;
