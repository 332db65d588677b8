import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

export function readPage(name: string): string {
  return readFileSync(new URL(name, root), "utf8");
}

export type DocBlock = {
  /** Where it is, for messages: `docs/api.md:82`. */
  place: string;
  /** The heading above it. */
  section: string;
  language: string;
  code: string;
};

/** The fenced blocks of a page, in their order. */
export function blocksOf(name: string): DocBlock[] {
  const text = readPage(name);
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = "", 2: code = "", index }) => {
    const before = text.slice(0, index);
    const section = before.match(/^#+ .*$/gm)?.at(-1) ?? "";
    return { place: `${name}:${before.split("\n").length}`, section, language, code };
  });
}
