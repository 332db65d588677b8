import type { SearchEntry } from "../../../plugins/search-entries.ts";

export type Snippet = { before: string; match: string; after: string };

export type Found = { id: string; entry: SearchEntry; snippet: Snippet };

const maximumResults = 20;
const snippetLength = 120;

/** Entries that contain all words, best first: a word in the title counts more than one in the text. */
export function searchEntries(entries: readonly SearchEntry[], query: string): Found[] {
  const words = fold(query).split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, words);
      return score === 0 ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maximumResults)
    .map(({ entry }) => ({ id: entry.path, entry, snippet: snippetOf(entry.text, words) }));
}

function scoreOf(entry: SearchEntry, words: string[]): number {
  const [title, text, page] = [fold(entry.title), fold(entry.text), fold(entry.page)];
  let score = 0;
  for (const word of words) {
    const inTitle = title === word ? 20 : startsWord(title, word) ? 10 : title.includes(word) ? 6 : 0;
    const inText = startsWord(text, word) ? 2 : text.includes(word) ? 1 : 0;
    const best = inTitle + inText + (page.includes(word) ? 1 : 0);
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

function startsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && /[\s/_({`"-]/.test(text[at - 1] ?? ""));
}

function snippetOf(text: string, words: string[]): Snippet {
  const folded = fold(text);
  const found = words.map((word) => ({ at: folded.indexOf(word), length: word.length })).find(({ at }) => at >= 0);
  if (found === undefined) return { before: text.slice(0, snippetLength), match: "", after: "" };
  const start = Math.max(0, found.at - 40);
  return {
    before: `${start > 0 ? "…" : ""}${text.slice(start, found.at)}`,
    match: text.slice(found.at, found.at + found.length),
    after: text.slice(found.at + found.length, found.at + snippetLength),
  };
}

/** Same length as the text, so that positions in one are positions in the other. */
export function fold(text: string): string {
  return [...text].map((character) => folded(character)).join("");
}

function folded(character: string): string {
  const plain = character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.length === character.length ? plain : character;
}
