export type DiffPart = { kind: "same" | "removed" | "added"; text: string };

/** The comparison grows with the product of both lengths: longer texts are shown as replaced as a whole. */
const maximumWords = 1500;

/** The difference of two texts, word by word (longest common subsequence). */
export function wordDiff(from: string, to: string): DiffPart[] {
  const [before, after] = [wordsOf(from), wordsOf(to)];
  if (before.length > maximumWords || after.length > maximumWords) {
    return merged([
      { kind: "removed", text: from },
      { kind: "added", text: to },
    ]);
  }
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (old !== undefined && old === young) {
      parts.push({ kind: "same", text: old });
      row += 1;
      column += 1;
    } else if (
      young === undefined ||
      (old !== undefined && at(lengths, (row + 1) * width + column) >= at(lengths, row * width + column + 1))
    ) {
      parts.push({ kind: "removed", text: old ?? "" });
      row += 1;
    } else {
      parts.push({ kind: "added", text: young });
      column += 1;
    }
  }
  return readable(merged(parts), { from, to });
}

/** Below this share of common letters, and above this many changes for each word, a text was rewritten. */
const leastCommon = 0.4;
const mostChanges = 0.25;

/** Neighbouring changes as one, and a rewritten text as a whole: single words in turn cannot be read. */
function readable(parts: DiffPart[], { from, to }: { from: string; to: string }): DiffPart[] {
  const result: DiffPart[] = [];
  let [removed, added, changes] = ["", "", 0];
  const flush = () => {
    if (removed !== "" || added !== "") changes += 1;
    result.push({ kind: "removed", text: removed }, { kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  for (const { kind, text } of parts) {
    const isBetween = kind === "same" && text.trim() === "" && removed + added !== "";
    if (kind === "same" && !isBetween) {
      flush();
      result.push({ kind, text });
    }
    if (kind === "removed" || isBetween) removed += text;
    if (kind === "added" || isBetween) added += text;
  }
  flush();
  const common =
    lettersOf(parts.filter(({ kind }) => kind === "same").map(({ text }) => text)) / lettersOf([longer(from, to)]);
  const words = wordsOf(longer(from, to)).length / 2;
  const isRewritten = common < leastCommon || (changes > 3 && changes > words * mostChanges);
  const whole: DiffPart[] = [
    { kind: "removed", text: from },
    { kind: "added", text: to },
  ];
  return merged(isRewritten ? whole : result);
}

const lettersOf = (texts: string[]): number => texts.join("").replaceAll(/\s/g, "").length;

const longer = (one: string, other: string): string => (one.length > other.length ? one : other);

/** Words and the spaces between them, so that joining them gives the text again. */
const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

/** Entry (row, column): the length of the longest common subsequence of the rests from there on. */
function commonLengths(before: string[], after: string[]): Uint16Array {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const index = row * width + column;
      lengths[index] =
        before[row] === after[column]
          ? at(lengths, index + width + 1) + 1
          : Math.max(at(lengths, index + width), at(lengths, index + 1));
    }
  }
  return lengths;
}

const at = (array: Uint16Array, index: number): number => array[index] ?? 0;

function merged(parts: DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts.filter(({ text }) => text !== "")) {
    const last = result.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}
