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

  it("returns at most 20", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ path: `/${index}`, page: "", title: "same", text: "" }));
    expect(searchEntries(many, "same")).toHaveLength(20);
  });

  it("keeps positions when it folds", () => {
    for (const text of ["Çà İ ﬁ 한 👩‍👩‍👧", "straße"]) expect(fold(text)).toHaveLength(text.length);
  });
});
