import { canonicalJson } from "./canonical-json.js";
import type { Change } from "./changes.js";

/** What a line of a list has. */
const lineFields = new Set(["id", "name", "title", "sort_order", "published"]);

/** Of a row that comes or goes and is only a line of a list, its name and where in the list it is: "2 of 4". */
export function placeInList(
  state: unknown,
  { path }: Pick<Change, "path">,
  row: unknown,
): { name: string; place: string } | undefined {
  const name = fieldOf(row, "name") ?? fieldOf(row, "title");
  const list = path.endsWith("]") ? valueAt(state, path.replace(/\[[^\]]*\]$/, "")) : undefined;
  if (!Array.isArray(list) || typeof name !== "string") return undefined;
  if (!Object.keys(row as object).every((field) => lineFields.has(field))) return undefined;
  const place = list.findIndex((other) => canonicalJson(other) === canonicalJson(row));
  return { name, place: `${place + 1} of ${list.length}` };
}

/** The value at a path, such as "segments[7f…].speakers". */
function valueAt(state: unknown, path: string): unknown {
  let place = state;
  for (const [, name, id] of path.matchAll(/([^.[\]]+)|\[([^\]]+)\]/g)) {
    if (name !== undefined) place = fieldOf(place, name);
    else place = Array.isArray(place) ? place.find((row) => fieldOf(row, "id") === id) : undefined;
  }
  return place;
}

function fieldOf(place: unknown, name: string): unknown {
  return typeof place === "object" && place !== null && Object.hasOwn(place, name)
    ? (place as Record<string, unknown>)[name]
    : undefined;
}
