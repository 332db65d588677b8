import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keptDraftDays } from "../../../contract/pictures.ts";
import { dropDraft, dropDraftsOf, findDraft, keepDraft, longestDraft, maximumDrafts } from "./kept-drafts.ts";

/** As in a browser: what is stored are properties, which a method's name is not. */
class MemoryStorage {
  getItem = undefined as unknown;
  constructor(full = () => false) {
    const define = (name: string, value: unknown) => Object.defineProperty(this, name, { value, enumerable: false });
    const texts = this as unknown as Record<string, string | undefined>;
    define("getItem", (name: string) => (Object.keys(this).includes(name) ? texts[name] : null));
    define("removeItem", (name: string) => delete texts[name]);
    define("setItem", (name: string, text: string) => {
      if (full()) throw new DOMException("full", "QuotaExceededError");
      texts[name] = text;
    });
  }
}

let isFull = false;
beforeEach(() => {
  isFull = false;
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("localStorage", new MemoryStorage(() => isFull));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const venue = { venue: { was: "", is: "Pier 4" } };
const countOfDrafts = () => Object.keys(localStorage).filter((name) => name.startsWith("draft ")).length;

it("finds what was kept, for the same form and person", () => {
  expect(keepDraft("ana", "details", venue)).toBe(true);
  expect(findDraft("ana", "details")).toEqual({ at: Date.now(), fields: venue });
  expect(findDraft("ana", "other")).toBeUndefined();
  expect(findDraft("ben", "details")).toBeUndefined();
  dropDraft("ana", "details");
  expect(findDraft("ana", "details")).toBeUndefined();
});

it("drops all of one person", () => {
  for (const person of ["ana", "ben"]) for (const form of ["one", "two"]) keepDraft(person, form, venue);
  dropDraftsOf("ana");
  expect([findDraft("ana", "one"), findDraft("ana", "two"), findDraft("ben", "one")?.fields]).toEqual([
    undefined,
    undefined,
    venue,
  ]);
});

it("keeps a draft for some days", () => {
  keepDraft("ana", "details", venue);
  vi.advanceTimersByTime(keptDraftDays * 86_400_000 - 1);
  expect(findDraft("ana", "details")).toBeDefined();
  vi.advanceTimersByTime(1);
  expect(findDraft("ana", "details")).toBeUndefined();
  expect(countOfDrafts()).toBe(0);
});

it("keeps the latest ones, and leaves alone what is no draft", () => {
  localStorage.setItem("theme", "dark");
  for (let index = 0; index < maximumDrafts + 2; index++) {
    vi.advanceTimersByTime(1000);
    keepDraft("ana", `form ${index}`, venue);
  }
  expect(countOfDrafts()).toBe(maximumDrafts);
  expect(findDraft("ana", "form 1")).toBeUndefined();
  expect(findDraft("ana", "form 2")).toBeDefined();
  expect(localStorage.getItem("theme")).toBe("dark");
});

it("says so when a draft is too long, or the browser stores nothing more", () => {
  keepDraft("ana", "details", venue);
  expect(keepDraft("ana", "details", { venue: { was: "", is: "a".repeat(longestDraft) } })).toBe(false);
  expect(findDraft("ana", "details")).toBeUndefined();
  isFull = true;
  expect(keepDraft("ana", "details", venue)).toBe(false);
});

it.each(["", "[]", "{", '{"at":"now","fields":{}}', '{"at":1e15,"fields":{"venue":"Pier 4"}}', '{"at":1e15}'])(
  "forgets what it cannot read: %s",
  (text) => {
    localStorage.setItem("draft ana details", text);
    expect(findDraft("ana", "details")).toBeUndefined();
    expect(countOfDrafts()).toBe(0);
  },
);
