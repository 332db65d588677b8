/** How messages and results say that there is more than they show. */

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

/** How many rows of each list are not shown; empty if all are. */
export function leftOut<List extends string>(lists: Record<List, { shown: number; total: number }>) {
  const cut = Object.entries<{ shown: number; total: number }>(lists)
    .filter(([, { shown, total }]) => shown < total)
    .map(([list, { shown, total }]) => [list, total - shown] as const);
  return cut.length === 0 ? {} : { left_out: Object.fromEntries(cut) };
}
