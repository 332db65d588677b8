/** What a result shows of long lists and texts, so that it stays below its limit. */

/**
 * The rows whose JSON fits into so many bytes, in order. The first that does not fit ends the list, or is left out by
 * itself with `skip`.
 */
export function rowsWithin<Row>(
  rows: Row[],
  maximumBytes: number,
  { bytesOf = bytesOfJson, skip = false }: { bytesOf?: (row: Row) => number; skip?: boolean } = {},
): Row[] {
  const fitting: Row[] = [];
  let used = 0;
  for (const row of rows) {
    const bytes = bytesOf(row) + 1;
    if (used + bytes <= maximumBytes) {
      used += bytes;
      fitting.push(row);
    } else if (!skip) break;
  }
  return fitting;
}

function bytesOfJson(row: unknown): number {
  return Buffer.byteLength(JSON.stringify(row));
}

/** How many rows an error message names. */
const namedRows = 20;

/** The first of many names or ids as part of a message, and how many more there are. */
export function someOf(names: string[], named = namedRows): string {
  const more = names.length - named;
  return more <= 0 ? names.join(", ") : `${names.slice(0, named).join(", ")} and ${more} more`;
}

/** The text, or its beginning and an ellipsis. */
export function shortText(text: string | null, maximum: number): string | null {
  if (text === null || text.length <= maximum) return text;
  const kept = [...text.slice(0, maximum)];
  // The cut may have split a surrogate pair.
  if (kept.at(-1)?.isWellFormed() === false) kept.pop();
  return `${kept.join("")}…`;
}

/** The text, or a beginning of it whose JSON fits into so many bytes, and an ellipsis. */
export function textWithin(text: string | null, maximumBytes: number): string | null {
  if (text === null || bytesOfJson(text) <= maximumBytes) return text;
  // JSON takes up to 6 bytes for a UTF-16 unit.
  return shortText(text, Math.floor(maximumBytes / 6) - 1);
}

/** How many rows of each list are not shown; empty if all are. */
export function leftOut<List extends string>(lists: Record<List, { shown: number; total: number }>) {
  const cut = Object.entries<{ shown: number; total: number }>(lists)
    .filter(([, { shown, total }]) => shown < total)
    .map(([list, { shown, total }]) => [list, total - shown] as const);
  return cut.length === 0 ? {} : { left_out: Object.fromEntries(cut) };
}
