import { expect, it } from "vitest";
import { namedChanges } from "./named-changes.js";

const [one, two, three] = [1, 2, 3].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
const row = (id: string | undefined, title: string, minutes: number) => ({ id, title, minutes });

it("calls rows of a list by their names, also where their order changes", () => {
  const before = { segments: [row(one, "Opening", 10), row(two, "Talk v2.0", 20), row(three, "Close", 5)] };
  const after = { segments: [row(three, "Close", 5), row(one, "Opening", 15)] };
  expect(namedChanges(before, after)).toEqual([
    { path: "segments[Talk v2.0]", from: row(two, "Talk v2.0", 20), to: null },
    { path: "segments[Opening].minutes", from: 10, to: 15 },
    { path: "segments", from: ["Opening", "Close"], to: ["Close", "Opening"] },
  ]);
});

it("calls a row by the name that it had", () => {
  const speaker = (name: string, bio: string | null) => ({ speaker: { id: one, name, bio } });
  expect(namedChanges(speaker("Ada", null), speaker("Ada King", "Analyst"))).toEqual([
    { path: "speaker[Ada].name", from: "Ada", to: "Ada King" },
    { path: "speaker[Ada].bio", from: null, to: "Analyst" },
  ]);
  expect(namedChanges({ speaker: null }, speaker("Ada", null))).toMatchObject([{ path: "speaker", from: null }]);
});

it("calls rows by their names that are listed by id", () => {
  const guests = (status: string) => ({ registrations: { [one ?? ""]: { name: "Ada", status } } });
  expect(namedChanges(guests("pending"), guests("approved"))).toEqual([
    { path: "registrations[Ada].status", from: "pending", to: "approved" },
  ]);
});

it("keeps the ids of rows with the same name, and of those without any", () => {
  const state = (minutes: number) => ({ segments: [row(one, "Break", minutes), row(two, "Break", 5)] });
  expect(namedChanges(state(5), state(10))).toMatchObject([{ path: `segments[Break (${one})].minutes` }]);
  const untitled = (title: string | null) => ({ posters: [{ id: one, title }], speaker_ids: [two] });
  expect(namedChanges(untitled(null), untitled(null))).toEqual([]);
  expect(namedChanges({ speaker_ids: [] }, { speaker_ids: [two] })).toEqual([
    { path: "speaker_ids", from: [], to: [two] },
  ]);
});

it("names rows that connect two others", () => {
  const member = { id: `${one} ${two}`, segment: "Opening", speaker: "Ada" };
  const host = (role: string) => ({ hosts: [{ id: `${one} ${two}`, organization: "Next Door", role }] });
  expect(namedChanges({ speakers_of_segments: [] }, { speakers_of_segments: [member] })).toMatchObject([
    { path: "speakers_of_segments[Opening, Ada]" },
  ]);
  expect(namedChanges(host("co_host"), host("host"))).toMatchObject([{ path: "hosts[Next Door].role" }]);
});

it("leaves other fields as they are, whatever they are called", () => {
  const before = { poster: { metadata: { generator: { name: "renderer", version: 1 }, constructor: { name: "x" } } } };
  const after = { poster: { metadata: { generator: { name: "renderer", version: 2 }, constructor: { name: "y" } } } };
  expect(namedChanges(before, after).map(({ path }) => path)).toEqual([
    "poster.metadata.generator.version",
    "poster.metadata.constructor.name",
  ]);
  expect(namedChanges(null, null)).toEqual([]);
});
