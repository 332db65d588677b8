/** Names that a caller may have meant. Callers fold case and accents before they compare. */

/** Longer names are compared by their beginnings. */
const comparedLength = 64;

/** The names that differ from the wanted one by few letters, nearest first. */
export function nearNames<Item>(wanted: string, items: Item[], nameOf: (item: Item) => string, limit: number): Item[] {
  return items
    .map((item) => ({ item, difference: differenceOf(wanted, nameOf(item)) }))
    .filter(({ difference }) => difference !== undefined)
    .sort((a, b) => (a.difference ?? 0) - (b.difference ?? 0))
    .slice(0, limit)
    .map(({ item }) => item);
}

/**
 * How much a name differs from what was wanted: the sum over the wanted words of the edits to the nearest word of the name.
 * Undefined if a word has none that is near: a third of its letters may differ. Half of the words may be missing if they
 * are shorter than three letters.
 */
function differenceOf(wanted: string, name: string): number | undefined {
  const words = wordsOf(name);
  const wantedWords = wordsOf(wanted);
  let sum = 0;
  let missing = 0;
  for (const word of wantedWords) {
    const edits = Math.min(...words.map((other) => Math.min(editsBetween(word, other), editsToBeginning(word, other))));
    if (edits <= word.length / 3) sum += edits;
    else if (word.length >= 3) return undefined;
    else missing += 1;
  }
  return missing > wantedWords.length / 2 ? undefined : sum + missing;
}

/** A wanted word can be the beginning of a longer one. */
function editsToBeginning(word: string, other: string): number {
  return other.length > word.length ? editsBetween(word, other.slice(0, word.length)) + 0.5 : Number.POSITIVE_INFINITY;
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, comparedLength)
    .split(/[\s@._/-]+/)
    .filter((word) => word !== "");
}

/** Letters inserted, removed, replaced or exchanged with their neighbour (optimal string alignment). */
export function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        exchanged ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
