import { createRoute, notFound, Outlet, redirect } from "@tanstack/react-router";
import { findOrganization } from "../api/session.ts";
import { activitySearch } from "../pages/activity/activity-search.ts";
import type { EventSearch } from "../pages/events/event-search.ts";
import { page } from "./page.ts";
import { frame, signedIn } from "./root.ts";

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: "/o/$organization",
  beforeLoad: ({ context: { session }, params }) => {
    if (findOrganization(session, params.organization) === undefined) throw notFound();
  },
  component: Outlet,
});
/** The door fills the screen: it has no frame. */
const door = createRoute({
  getParentRoute: () => organization,
  path: "/events/$event/door",
  component: page(() => import("../pages/event/door/door.tsx"), "DoorPage"),
});
const guestCodes = createRoute({
  getParentRoute: () => organization,
  path: "/events/$event/guests/print",
  component: page(() => import("../pages/event/guests/print.tsx"), "GuestCodesPage"),
});
const organizationFrame = createRoute({
  getParentRoute: () => organization,
  id: "organization-frame",
  component: frame(),
});
const dashboard = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/",
  component: page(() => import("../pages/dashboard/dashboard.tsx"), "DashboardPage"),
});
const settings = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/settings",
  component: page(() => import("../pages/settings/settings-frame.tsx"), "SettingsFrame"),
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: page(() => import("../pages/settings/settings.tsx"), "SettingsPage"),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  component: page(() => import("../pages/keys/keys.tsx"), "KeysPage"),
});
const key = createRoute({
  getParentRoute: () => settings,
  path: "/keys/$key",
  component: page(() => import("../pages/keys/key.tsx"), "KeyPage"),
});
const apps = createRoute({
  getParentRoute: () => settings,
  path: "/apps",
  component: page(() => import("../pages/apps/apps.tsx"), "AppsPage"),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  component: page(() => import("../pages/members/members.tsx"), "MembersPage"),
});
/** Pages of the settings at their former addresses, which bookmarks, old mails and instructions of agents contain. */
const moved = (["keys", "apps", "members"] as const).map((name) =>
  createRoute({
    getParentRoute: () => organization,
    path: `/${name}`,
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: `/o/$organization/settings/${name}`, params, search, replace: true });
    },
  }),
);
const activity = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/activity",
  validateSearch: activitySearch,
  component: page(() => import("../pages/activity/activity.tsx"), "ActivityPage"),
});
const events = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/events",
  // The page checks it, so that what it accepts is not loaded with the application.
  validateSearch: (search: Record<string, unknown>) => search as EventSearch,
  component: page(() => import("../pages/events/events.tsx"), "EventsPage"),
});
const event = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/events/$event",
  component: page(() => import("../pages/event/event-frame.tsx"), "EventFrame"),
});
const overview = createRoute({
  getParentRoute: () => event,
  path: "/",
  component: page(() => import("../pages/event/overview.tsx"), "OverviewPage"),
});
const guests = createRoute({
  getParentRoute: () => event,
  path: "/guests",
  component: page(() => import("../pages/event/guests/guests.tsx"), "GuestsPage"),
});
const runOfShow = createRoute({
  getParentRoute: () => event,
  path: "/run-of-show",
  component: page(() => import("../pages/event/run-of-show/run-of-show.tsx"), "RunOfShowPage"),
});
const speakers = createRoute({
  getParentRoute: () => event,
  path: "/speakers",
  component: page(() => import("../pages/event/speakers.tsx"), "SpeakersPage"),
});
const posters = createRoute({
  getParentRoute: () => event,
  path: "/posters",
  component: page(() => import("../pages/event/posters/posters.tsx"), "PostersPage"),
});
const hosts = createRoute({
  getParentRoute: () => event,
  path: "/hosts",
  component: page(() => import("../pages/event/hosts.tsx"), "HostsPage"),
});
const numbers = createRoute({
  getParentRoute: () => event,
  path: "/numbers",
  component: page(() => import("../pages/event/numbers/numbers.tsx"), "NumbersPage"),
});
const eventActivity = createRoute({
  getParentRoute: () => event,
  path: "/activity",
  validateSearch: activitySearch,
  component: page(() => import("../pages/activity/event-activity.tsx"), "EventActivityPage"),
});

export const organizationRoutes = organization.addChildren([
  door,
  guestCodes,
  ...moved,
  organizationFrame.addChildren([
    ...[events, dashboard, activity],
    settings.addChildren([profile, members, keys, key, apps]),
    event.addChildren([overview, guests, runOfShow, speakers, posters, hosts, numbers, eventActivity]),
  ]),
]);
