import { expect, it } from "vitest";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import { folded } from "../../../format/folded.ts";
import { indexGuest, searchGuests } from "./guest-search.ts";

const guestNamed = (name: string, email = "x@example.com"): DoorGuest => ({
  id: name,
  name,
  email,
  status: "approved",
  ticket_type: null,
  checked_in_at: null,
  code_hash: "",
});

const index = ["Łukasz Müller", "Zoë O’Neill", "José Ñandú", "Anna Zoellner", "محمد علي"].map((name) =>
  indexGuest(guestNamed(name)),
);
const find = (query: string) => searchGuests(index, query, 10).map(({ name }) => name);

it.each([
  ["lukasz", ["Łukasz Müller"]],
  ["muller luk", ["Łukasz Müller"]],
  ["MÜLLER", ["Łukasz Müller"]],
  ["oneill", ["Zoë O’Neill"]],
  ["o'neill", ["Zoë O’Neill"]],
  ["nandu", ["José Ñandú"]],
  ["محمد", ["محمد علي"]],
  ["zoe", ["Zoë O’Neill", "Anna Zoellner"]],
  ["nobody", []],
  ["'", []],
  ["  ", []],
])("finds %j", (query, names) => {
  expect(find(query)).toEqual(names);
});

it("puts those first in whom words begin with what was typed", () => {
  const both = [indexGuest(guestNamed("Hannah")), indexGuest(guestNamed("Anna"))];
  expect(searchGuests(both, "anna", 10).map(({ name }) => name)).toEqual(["Anna", "Hannah"]);
  expect(searchGuests(both, "anna", 1).map(({ name }) => name)).toEqual(["Anna"]);
});

it("finds by e-mail address, and no more than asked for", () => {
  const guests = [
    guestNamed("Ana", "a@example.com"),
    guestNamed("Bea", "b@example.org"),
    guestNamed("Cem", "c@example.com"),
  ];
  const names = (query: string, limit: number) =>
    searchGuests(guests.map(indexGuest), query, limit).map(({ name }) => name);
  expect(names("example.com", 10)).toEqual(["Ana", "Cem"]);
  expect(names("cem c@", 10)).toEqual(["Cem"]);
  expect(names("example", 2)).toEqual(["Ana", "Bea"]);
});

it("folds like the service", () => {
  expect(folded("  Straße Æsir Þór Œuvre Đorđe Işık ς ")).toBe("strasse aesir thor oeuvre dorde isik σ");
});

it("searches 20,000 guests within a frame or two", () => {
  const many = Array.from({ length: 20_000 }, (_, n) =>
    indexGuest(guestNamed(`Guest Number${n}`, `g${n}@example.com`)),
  );
  const start = performance.now();
  expect(searchGuests(many, "number1999", 50)).toHaveLength(11);
  expect(performance.now() - start).toBeLessThan(500);
});
