import { shortText } from "../../contract/shortened.js";

/** What a result shows of long lists and texts, so that it stays below its limit. */

/**
 * The rows whose JSON fits into `maximumBytes`, in order. The first that does not fit ends the list; with `skip`, only that
 * row is left out.
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

/** The text, cut with an ellipsis if its JSON takes more than `maximumBytes`. */
export function textWithin(text: string | null, maximumBytes: number): string | null {
  if (text === null || bytesOfJson(text) <= maximumBytes) return text;
  // JSON takes up to 6 bytes for a UTF-16 unit.
  return shortText(text, Math.floor(maximumBytes / 6) - 1);
}
