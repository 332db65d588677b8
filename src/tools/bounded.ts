/** What an agent is shown of long lists and texts: an answer that outgrows its reader tells nothing. */

/** The first rows whose JSON fits into so many bytes. */
export function rowsWithin<Row>(rows: Row[], bytes: number): Row[] {
  let used = 0;
  const end = rows.findIndex((row) => {
    used += Buffer.byteLength(JSON.stringify(row)) + 1;
    return used > bytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The text, or its beginning and an ellipsis. */
export function shortText(text: string | null, maximum: number): string | null {
  if (text === null || text.length <= maximum) return text;
  const kept = [...text.slice(0, maximum)];
  // The cut may have halved a surrogate pair.
  if (kept.at(-1)?.isWellFormed() === false) kept.pop();
  return `${kept.join("")}…`;
}

/** Tells how many rows of each list are not shown, and nothing when all are. */
export function leftOut<List extends string>(lists: Record<List, { shown: number; total: number }>) {
  const cut = Object.entries<{ shown: number; total: number }>(lists)
    .filter(([, { shown, total }]) => shown < total)
    .map(([list, { shown, total }]) => [list, total - shown] as const);
  return cut.length === 0 ? {} : { left_out: Object.fromEntries(cut) };
}
