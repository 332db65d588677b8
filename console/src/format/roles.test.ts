import { expect, it } from "vitest";
import { roleAtLeast } from "../../../contract/roles.ts";
import { roleLabel, roleOptions } from "./roles.ts";

it("names the roles, the lowest first", () => {
  expect(roleOptions.map(({ value }) => value)).toEqual(["member", "admin", "owner"]);
  expect(roleOptions.map(({ value }) => roleLabel(value))).toEqual(["Member", "Admin", "Owner"]);
});

it.each([
  ["member", [true, false, false]],
  ["admin", [true, true, false]],
  ["owner", [true, true, true]],
] as const)("%s is at least member, admin, owner: %j", (role, expected) => {
  expect(roleOptions.map(({ value }) => roleAtLeast(role, value))).toEqual(expected);
});
