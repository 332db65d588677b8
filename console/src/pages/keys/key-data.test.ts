import { expect, it } from "vitest";
import { scopes as allScopes, type Scope } from "../../../../contract/scopes.ts";
import { accessOf, lifetimes } from "./key-data.ts";

it.each<[string, Scope[]]>([
  ["Posting agent", ["conferences:read", "events:write"]],
  ["Organizer agent", ["conferences:read", "org:read", "events:write", "registrations:read", "registrations:write"]],
  ["Read only", ["conferences:read", "org:read", "registrations:read"]],
  ["Everything", allScopes],
  ["Read the organization, Edit the organization, Manage events, Read guest lists, Manage guests", allScopes.slice(1)],
  ["Manage events", ["events:write"]],
  ["Browse conferences and posters, Read the organization", ["conferences:read", "org:read"]],
  [
    "Browse conferences and posters, Manage events, Read guest lists",
    ["conferences:read", "events:write", "registrations:read"],
  ],
])("calls the access of a key %s", (label, scopes) => {
  expect(accessOf(scopes).label).toBe(label);
});

it("lists what a key may do, whatever its access is called", () => {
  expect(accessOf(["conferences:read", "events:write"]).titles).toEqual([
    "Browse conferences and posters",
    "Manage events",
  ]);
  expect(accessOf(allScopes).titles).toEqual([
    "Browse conferences and posters",
    "Read the organization",
    "Edit the organization",
    "Manage events",
    "Read guest lists",
    "Manage guests",
  ]);
});

it("names each lifetime by its days", () => {
  expect(lifetimes.map(({ value, label }) => [value, label])).toEqual([
    ["7", "7 days"],
    ["30", "30 days"],
    ["60", "60 days"],
    ["90", "90 days, the longest"],
  ]);
});
