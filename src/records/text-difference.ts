/** Texts up to this length are shown whole. */
const wholeText = 160;
/** How much of the common beginning and end is shown around the difference. */
const shownContext = 40;

/**
 * Two texts shortened to what differs between them, with the end of what comes before it and the beginning of what follows.
 * Texts of up to `whole` characters stay as they are, and of the difference itself at most `longest` characters are shown.
 */
export function textDifference(
  from: string,
  to: string,
  { longest = Number.POSITIVE_INFINITY, whole = wholeText } = {},
): { from: string; to: string } {
  if (from === to || (from.length <= whole && to.length <= whole)) return { from, to };
  const start = commonStart(from, to);
  const end = commonEnd(from, to, start);
  const shown = (text: string) => {
    const first = start <= shownContext ? 0 : characterStart(text, start - shownContext);
    const last = end <= shownContext ? text.length : characterStart(text, text.length - end + shownContext);
    const middle = text.slice(start, text.length - end);
    return [
      first > 0 ? "…" : "",
      text.slice(first, start),
      middle.length <= longest ? middle : `${middle.slice(0, characterStart(middle, longest))}…`,
      text.slice(text.length - end, last),
      last < text.length ? "…" : "",
    ].join("");
  };
  return { from: shown(from), to: shown(to) };
}

/** How many UTF-16 units both texts begin with, in whole characters. */
function commonStart(from: string, to: string): number {
  const longest = Math.min(from.length, to.length);
  let length = 0;
  while (length < longest && from[length] === to[length]) length++;
  return Math.min(characterStart(from, length), characterStart(to, length));
}

/** How many UTF-16 units both texts end with, in whole characters, without their common start. */
function commonEnd(from: string, to: string, start: number): number {
  const longest = Math.min(from.length, to.length) - start;
  let length = 0;
  while (length < longest && from.at(-1 - length) === to.at(-1 - length)) length++;
  const splits = [from, to].some((text) => characterStart(text, text.length - length) !== text.length - length);
  return splits ? length - 1 : length;
}

/** The index, or the one before it where it would split a surrogate pair. */
function characterStart(text: string, index: number): number {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}
