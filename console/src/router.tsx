import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "./api/query-client.ts";
import { findOrganization, type Session, sessionQuery } from "./api/session.ts";
import { activitySearch } from "./pages/activity/activity-search.ts";
import { ErrorPage, NotFoundPage } from "./shell/problem-pages.tsx";
import { Root } from "./shell/root.tsx";
import { PageSkeleton } from "./ui/skeleton.tsx";

const loadSession = (): Promise<Session> => queryClient.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });

/** Every page is loaded when it is first visited, or when a link to it is about to be used. */
const page = <Name extends string>(load: () => Promise<Record<Name, RouteComponent>>, name: Name) =>
  lazyRouteComponent(load, name);

const root = createRootRoute({ component: Root, beforeLoad: async () => ({ session: await loadSession() }) });

const landing = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: page(() => import("./pages/landing/landing.tsx"), "LandingPage"),
});

type ReturnSearch = { return_to?: string };

/** Only paths of this site: a full address would send people elsewhere after sign-in. */
const returnSearch = ({ return_to }: Record<string, unknown>): ReturnSearch =>
  typeof return_to === "string" && /^\/(?![/\\])/.test(return_to) ? { return_to } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): ReturnSearch & { forgot?: true } => ({
    ...returnSearch(search),
    ...(search.forgot === true ? { forgot: true as const } : {}),
  }),
  component: page(() => import("./pages/sign-in/sign-in.tsx"), "SignInPage"),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite/$token",
  component: page(() => import("./pages/sign-in/invite.tsx"), "InvitePage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset/$token",
  component: page(() => import("./pages/sign-in/reset.tsx"), "ResetPage"),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  component: page(() => import("./pages/docs/docs-frame.tsx"), "DocsFrame"),
});
const docsHome = createRoute({
  getParentRoute: () => docs,
  path: "/",
  component: page(() => import("./pages/docs/docs-home.tsx"), "DocsHomePage"),
});
const docsPage = createRoute({
  getParentRoute: () => docs,
  path: "$",
  component: page(() => import("./pages/docs/docs-page.tsx"), "DocsPage"),
});

/** Everything below is for signed-in people; others sign in first and then come back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: ({ context: { session }, location }) => {
    if (session.person === null) throw redirect({ to: "/sign-in", search: { return_to: location.href } });
  },
  component: Outlet,
});
const loadFrame = () => import("./shell/frame.tsx");
const accountFrame = createRoute({
  getParentRoute: () => signedIn,
  id: "account-frame",
  component: page(loadFrame, "Frame"),
});
const account = createRoute({
  getParentRoute: () => accountFrame,
  path: "/account",
  component: page(() => import("./pages/account/account.tsx"), "AccountPage"),
});

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
  component: page(() => import("./pages/door/door.tsx"), "DoorPage"),
});
const guestCodes = createRoute({
  getParentRoute: () => organization,
  path: "/events/$event/guests/print",
  component: page(() => import("./pages/guests/print.tsx"), "GuestCodesPage"),
});
const organizationFrame = createRoute({
  getParentRoute: () => organization,
  id: "organization-frame",
  component: page(loadFrame, "Frame"),
});
const dashboard = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/",
  component: page(() => import("./pages/dashboard/dashboard.tsx"), "DashboardPage"),
});
const keys = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/keys",
  component: page(() => import("./pages/keys/keys.tsx"), "KeysPage"),
});
const members = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/members",
  component: page(() => import("./pages/members/members.tsx"), "MembersPage"),
});
const settings = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/settings",
  component: page(() => import("./pages/settings/settings.tsx"), "SettingsPage"),
});
const activity = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/activity",
  validateSearch: activitySearch,
  component: page(() => import("./pages/activity/activity.tsx"), "ActivityPage"),
});

const event = createRoute({
  getParentRoute: () => organizationFrame,
  path: "/events/$event",
  component: page(() => import("./pages/event/event-frame.tsx"), "EventFrame"),
});
const overview = createRoute({
  getParentRoute: () => event,
  path: "/",
  component: page(() => import("./pages/event/overview.tsx"), "OverviewPage"),
});
const guests = createRoute({
  getParentRoute: () => event,
  path: "/guests",
  component: page(() => import("./pages/guests/guests.tsx"), "GuestsPage"),
});
const runOfShow = createRoute({
  getParentRoute: () => event,
  path: "/run-of-show",
  component: page(() => import("./pages/run-of-show/run-of-show.tsx"), "RunOfShowPage"),
});
const speakers = createRoute({
  getParentRoute: () => event,
  path: "/speakers",
  component: page(() => import("./pages/event/speakers.tsx"), "SpeakersPage"),
});
const posters = createRoute({
  getParentRoute: () => event,
  path: "/posters",
  component: page(() => import("./pages/posters/posters.tsx"), "PostersPage"),
});
const hosts = createRoute({
  getParentRoute: () => event,
  path: "/hosts",
  component: page(() => import("./pages/event/hosts.tsx"), "HostsPage"),
});
const eventActivity = createRoute({
  getParentRoute: () => event,
  path: "/activity",
  validateSearch: activitySearch,
  component: page(() => import("./pages/activity/event-activity.tsx"), "EventActivityPage"),
});

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin",
  beforeLoad: ({ context: { session } }) => {
    if (session.person?.platform_admin !== true) throw notFound();
  },
  component: page(loadFrame, "Frame"),
});
/** Filters in the address of a list: texts, and nothing else. */
const filtersOf =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names
        .filter((name) => ["string", "number", "boolean"].includes(typeof search[name]))
        .map((name) => [name, String(search[name])]),
    ) as Partial<Record<Name, string>>;
const adminOverview = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: page(() => import("./pages/admin/overview.tsx"), "AdminOverviewPage"),
});
const adminConferences = createRoute({
  getParentRoute: () => admin,
  path: "/conferences",
  validateSearch: filtersOf("q", "status"),
  component: page(() => import("./pages/admin/conferences.tsx"), "ConferencesPage"),
});
const adminConference = createRoute({
  getParentRoute: () => admin,
  path: "/conferences/$id",
  component: page(() => import("./pages/admin/conference.tsx"), "ConferencePage"),
});
const adminEvents = createRoute({
  getParentRoute: () => admin,
  path: "/events",
  validateSearch: filtersOf("q", "status", "conference"),
  component: page(() => import("./pages/admin/events.tsx"), "EventsPage"),
});
const adminEvent = createRoute({
  getParentRoute: () => admin,
  path: "/events/$id",
  component: page(() => import("./pages/admin/event.tsx"), "EventPage"),
});
const adminOrganizations = createRoute({
  getParentRoute: () => admin,
  path: "/organizations",
  validateSearch: filtersOf("q"),
  component: page(() => import("./pages/admin/organizations.tsx"), "OrganizationsPage"),
});
const adminOrganization = createRoute({
  getParentRoute: () => admin,
  path: "/organizations/$id",
  component: page(() => import("./pages/admin/organization.tsx"), "OrganizationPage"),
});
const adminPeople = createRoute({
  getParentRoute: () => admin,
  path: "/people",
  validateSearch: filtersOf("q", "platform_admin"),
  component: page(() => import("./pages/admin/people.tsx"), "PeoplePage"),
});
const adminKeys = createRoute({
  getParentRoute: () => admin,
  path: "/keys",
  component: page(() => import("./pages/admin/platform-keys.tsx"), "PlatformKeysPage"),
});
const adminRecords = createRoute({
  getParentRoute: () => admin,
  path: "/records",
  validateSearch: filtersOf("tool", "via", "days", "organization", "event", "person"),
  component: page(() => import("./pages/admin/records.tsx"), "RecordsPage"),
});

/** Shows all components; only in development. */
const design = createRoute({
  getParentRoute: () => root,
  path: "/design",
  component: import.meta.env.DEV ? page(() => import("./pages/design/design.tsx"), "DesignPage") : NotFoundPage,
});

const routeTree = root.addChildren([
  ...[landing, signIn, invite, reset, design],
  docs.addChildren([docsHome, docsPage]),
  signedIn.addChildren([
    accountFrame.addChildren([account]),
    organization.addChildren([
      door,
      guestCodes,
      organizationFrame.addChildren([
        ...[dashboard, keys, members, settings, activity],
        event.addChildren([overview, guests, runOfShow, speakers, posters, hosts, eventActivity]),
      ]),
    ]),
    admin.addChildren([
      ...[adminOverview, adminConferences, adminConference, adminEvents, adminEvent],
      ...[adminOrganizations, adminOrganization, adminPeople, adminKeys, adminRecords],
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingMs: 300,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
