import { expect, it } from "vitest";
import { argumentsOf, countIn, exportAddress, type StateFilter } from "./guests-api.ts";

const counts = { pending: 1, approved: 20, waitlisted: 300, declined: 4000, checked_in: 7 };

it.each([
  ["all", 4321, {}],
  ["pending", 1, { status: "pending" }],
  ["approved", 20, { status: "approved" }],
  ["waitlisted", 300, { status: "waitlisted" }],
  ["declined", 4000, { status: "declined" }],
  ["checked_in", 7, { checked_in: true }],
] as [StateFilter, number, object][])("counts and asks for guests in the state %s", (state, count, args) => {
  expect(countIn(counts, state)).toBe(count);
  expect(argumentsOf({ state, query: "" })).toEqual(args);
  expect(argumentsOf({ state, query: " ana b " })).toEqual({ ...args, query: "ana b" });
});

it.each([
  [{ state: "all", query: "  " }, ""],
  [{ state: "checked_in", query: "" }, "?checked_in=true"],
  [{ state: "declined", query: "2+5 & é" }, "?status=declined&query=2%2B5+%26+%C3%A9"],
] as const)("exports what %o shows", (filter, search) => {
  expect(exportAddress("o 1", "e", filter)).toBe(`/api/console/organizations/o%201/events/e/guests.csv${search}`);
});
