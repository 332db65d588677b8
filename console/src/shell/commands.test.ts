import { expect, it } from "vitest";
import type { Organization, Role, Session } from "../api/session.ts";
import { knownCommands } from "./commands.ts";

const organization = (role: Role): Organization => ({
  ...{ id: "1", slug: "harbour", name: "Harbour Works", role },
  ...{ logo_url: null, brand_primary_color: null },
});
const session = (platform_admin: boolean): Session => ({
  person: { id: "2", name: "Ana", email: "ana@example.com", platform_admin },
  ...{ organizations: [], sign_in: { oidc: null }, version: "test" },
});
const labels = (role: Role, query: string, event?: string, isAdministrator = false) =>
  knownCommands(session(isAdministrator), organization(role), event, query).map(({ label }) => label);

it("has the actions that the role allows, those of an event on its pages only", () => {
  expect(labels("owner", "create")).toEqual(["Create key"]);
  expect(labels("admin", "create")).toEqual([]);
  expect(labels("owner", "add guest")).toEqual([]);
  expect(labels("admin", "add guest", "3")).toEqual(["Add guest"]);
  expect(labels("member", "guest", "3")).toEqual(["Print guest codes"]);
});

it("has the pages of administrators for them only, and finds words in any order, without accents", () => {
  expect(labels("member", "keys platform", undefined, true)).toEqual(["Platform keys"]);
  expect(labels("member", "keys platform")).toEqual([]);
  expect(labels("member", "Ácti")).toEqual(["Activity"]);
});
