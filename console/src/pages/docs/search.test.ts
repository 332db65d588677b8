import { describe, expect, it } from "vitest";
import { fold, searchEntries } from "./search.ts";

const entries = [
  { path: "/a", page: "Guide", title: "Rate limits", text: "60 requests per minute per key; a 429 has Retry-After." },
  { path: "/b", page: "API reference", title: "GET /api/svc/posters", text: "listPosters lists posters by sort order" },
  { path: "/c", page: "Tools", title: "add_event_speaker", text: "Add a speaker; the limit is 100. Café" },
];
const pathsFor = (query: string) => searchEntries(entries, query).map(({ entry }) => entry.path);

describe("searchEntries", () => {
  it("finds entries that contain all words, in any order and case", () => {
    expect(pathsFor("KEY minute")).toEqual(["/a"]);
    expect(pathsFor("minute speaker")).toEqual([]);
  });

  it("puts a word of the title before one of the text", () => {
    expect(pathsFor("limit")).toEqual(["/a", "/c"]);
  });

  it("ignores accents, and nothing is found for nothing", () => {
    expect(pathsFor("cafe")).toEqual(["/c"]);
    expect(pathsFor("  ")).toEqual([]);
  });

  it("finds parts of names", () => {
    expect(pathsFor("speaker")).toEqual(["/c"]);
    expect(pathsFor("posters")).toEqual(["/b"]);
  });

  it("shows the match with what is around it", () => {
    expect(searchEntries(entries, "retry")[0]?.snippet).toMatchObject({ match: "Retry", after: "-After." });
  });

  it("shows the beginning of the text if the words are elsewhere, and marks what is cut off", () => {
    expect(searchEntries(entries, "guide")[0]?.snippet).toEqual({ before: entries[0]?.text, match: "", after: "" });
    const text = `${"a ".repeat(100)}needle${" b".repeat(100)}`;
    const [found] = searchEntries([{ path: "/d", page: "", title: "", text }], "needle");
    expect(found?.snippet).toEqual({ before: `…${"a ".repeat(20)}`, match: "needle", after: " b".repeat(57) });
  });

  it("puts a title before one that begins a word with it, that before one within a word, and text last", () => {
    const of = (path: string, title: string, text = "") => ({ path, page: "", title, text });
    const mixed = [
      of("/text", "Other", "See key"),
      of("/within", "monkey"),
      of("/word", "api_key rotation"),
      of("/title", "Key"),
    ];
    expect(searchEntries(mixed, "key").map(({ entry }) => entry.path)).toEqual(["/title", "/word", "/within", "/text"]);
    const texts = [of("/within", "One", "monkeys"), of("/word", "Two", "a key")];
    expect(searchEntries(texts, "key").map(({ entry }) => entry.path)).toEqual(["/word", "/within"]);
  });

  it("returns at most 20, and the best of all", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ path: `/${index}`, page: "", title: "same", text: "" }));
    expect(searchEntries(many, "same")).toHaveLength(20);
    const best = { path: "/best", page: "", title: "key", text: "" };
    const found = searchEntries([...many.map((entry) => ({ ...entry, text: "monkey" })), best], "key");
    expect(found.map(({ entry }) => entry.path)).toContain("/best");
  });

  it("keeps positions when it folds", () => {
    for (const text of ["Çà İ ﬁ 한 👩‍👩‍👧", "straße"]) expect(fold(text)).toHaveLength(text.length);
  });
});
