import { createRoute, notFound } from "@tanstack/react-router";
import { page } from "./page.ts";
import { frame, signedIn } from "./root.ts";

/** Filters in the address of a list: texts, and nothing else. */
const filtersOf =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names
        .filter((name) => ["string", "number", "boolean"].includes(typeof search[name]))
        .map((name) => [name, String(search[name])]),
    ) as Partial<Record<Name, string>>;

const administration = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin",
  beforeLoad: ({ context: { session } }) => {
    if (session.person?.platform_admin !== true) throw notFound();
  },
  component: frame(),
});
const overview = createRoute({
  getParentRoute: () => administration,
  path: "/",
  component: page(() => import("../pages/admin/overview.tsx"), "AdminOverviewPage"),
});
const conferences = createRoute({
  getParentRoute: () => administration,
  path: "/conferences",
  validateSearch: filtersOf("q", "status", "sort"),
  component: page(() => import("../pages/admin/conferences.tsx"), "ConferencesPage"),
});
const conference = createRoute({
  getParentRoute: () => administration,
  path: "/conferences/$id",
  component: page(() => import("../pages/admin/conference.tsx"), "ConferencePage"),
});
const events = createRoute({
  getParentRoute: () => administration,
  path: "/events",
  validateSearch: filtersOf("q", "status", "conference", "organization", "sort", "proposed"),
  component: page(() => import("../pages/admin/events.tsx"), "EventsPage"),
});
const event = createRoute({
  getParentRoute: () => administration,
  path: "/events/$id",
  component: page(() => import("../pages/admin/event.tsx"), "EventPage"),
});
const organizations = createRoute({
  getParentRoute: () => administration,
  path: "/organizations",
  validateSearch: filtersOf("q", "sort"),
  component: page(() => import("../pages/admin/organizations.tsx"), "OrganizationsPage"),
});
const organization = createRoute({
  getParentRoute: () => administration,
  path: "/organizations/$id",
  component: page(() => import("../pages/admin/organization.tsx"), "OrganizationPage"),
});
const people = createRoute({
  getParentRoute: () => administration,
  path: "/people",
  validateSearch: filtersOf("q", "platform_admin"),
  component: page(() => import("../pages/admin/people.tsx"), "PeoplePage"),
});
const keys = createRoute({
  getParentRoute: () => administration,
  path: "/keys",
  component: page(() => import("../pages/admin/platform-keys.tsx"), "PlatformKeysPage"),
});
const records = createRoute({
  getParentRoute: () => administration,
  path: "/records",
  validateSearch: filtersOf("text", "tool", "via", "days", "organization", "event", "person"),
  component: page(() => import("../pages/admin/records.tsx"), "RecordsPage"),
});

export const adminRoutes = administration.addChildren([
  ...[overview, conferences, conference, events, event],
  ...[organizations, organization, people, keys, records],
]);
