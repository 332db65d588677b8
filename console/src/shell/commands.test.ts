import { expect, it } from "vitest";
import type { Organization, Session } from "../../../contract/console/account.ts";
import type { Role } from "../../../contract/roles.ts";
import { knownCommands } from "./commands.ts";

const organization = (role: Role): Organization => ({
  id: "1",
  slug: "harbour",
  name: "Harbour Works",
  role,
  logo_url: null,
  brand_primary_color: null,
  visited_at: null,
});
const session = (platform_admin: boolean): Session => ({
  person: { id: "2", name: "Ana", email: "ana@example.com", platform_admin },
  organizations: [organization("owner"), { ...organization("member"), id: "4", slug: "pier", name: "Pier Nine" }],
  sign_in: { oidc: null, mail: false },
  version: "test",
  public_url: "https://svc.test",
});
const labels = (role: Role, query: string, event?: string, isAdministrator = false) =>
  knownCommands(session(isAdministrator), organization(role), event, query).map(({ label }) => label);
const lines = (isAdministrator: boolean, here: Organization | undefined, event?: string) =>
  knownCommands(session(isAdministrator), here, event, "").map(
    ({ group, label, href }) => `${group}: ${label} ${href}`,
  );

it("has the actions that the role allows, those of an event on its pages only", () => {
  expect(labels("owner", "create")).toEqual(["Create key"]);
  expect(labels("admin", "create")).toEqual([]);
  expect(labels("owner", "invite")).toEqual(["Invite person"]);
  expect(labels("admin", "invite")).toEqual([]);
  expect(labels("owner", "add guest")).toEqual([]);
  expect(labels("admin", "add guest", "3")).toEqual(["Add guest"]);
  expect(labels("member", "guest", "3")).toEqual(["Print guest codes"]);
});

it("has the pages of administrators for them only, and finds words in any order, without accents", () => {
  expect(labels("member", "keys platform", undefined, true)).toEqual(["Platform keys"]);
  expect(labels("member", "keys platform")).toEqual([]);
  expect(labels("member", "Ácti")).toEqual(["Activity"]);
});

it("leads to what can be done here, then to the pages of this and of other organizations", () => {
  expect(lines(false, organization("owner"), "3")).toEqual([
    "This event: Add guest /o/harbour/events/3/guests?add=true",
    "This event: Open the door list /o/harbour/events/3/door",
    "This event: Print guest codes /o/harbour/events/3/guests/print",
    "Actions: Create key /o/harbour/settings/keys?create=true",
    "Actions: Invite person /o/harbour/settings/members?invite=true",
    "Harbour Works: Events /o/harbour/events",
    "Harbour Works: Dashboard /o/harbour",
    "Harbour Works: Activity /o/harbour/activity",
    "Settings: Profile and branding /o/harbour/settings",
    "Settings: People /o/harbour/settings/members",
    "Settings: API keys /o/harbour/settings/keys",
    "Settings: Connected apps /o/harbour/settings/apps",
    "Organizations: Pier Nine /o/pier",
    "General: Your account /account",
    "General: Documentation /docs",
  ]);
});

it("leads administrators to all of their pages, and to their organizations", () => {
  expect(lines(true, undefined)).toEqual([
    "Organizations: Harbour Works /o/harbour",
    "Organizations: Pier Nine /o/pier",
    "Administration: Overview /admin",
    "Administration: Conferences /admin/conferences",
    "Administration: Events /admin/events",
    "Administration: Organizations /admin/organizations",
    "Administration: People /admin/people",
    "Administration: Platform keys /admin/keys",
    "Administration: Records /admin/records",
    "General: Your account /account",
    "General: Documentation /docs",
  ]);
});
