import { createRoute } from "@tanstack/react-router";
import { page } from "./page.ts";
import { root } from "./root.ts";

const landing = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: page(() => import("../pages/landing/landing.tsx"), "LandingPage"),
});

type ReturnSearch = { return_to?: string };

/** Only paths of this site: a full address would send people elsewhere after sign-in. */
const returnSearch = ({ return_to }: Record<string, unknown>): ReturnSearch =>
  typeof return_to === "string" && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(return_to) ? { return_to } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): ReturnSearch & { forgot?: true; error?: string } => ({
    ...returnSearch(search),
    ...(typeof search.error === "string" ? { error: search.error } : {}),
    ...(search.forgot === true ? { forgot: true as const } : {}),
  }),
  component: page(() => import("../pages/sign-in/sign-in.tsx"), "SignInPage"),
});
const signedIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in/done",
  component: page(() => import("../pages/sign-in/signed-in.tsx"), "SignedInPage"),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite/$token",
  component: page(() => import("../pages/sign-in/invite.tsx"), "InvitePage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset/$token",
  component: page(() => import("../pages/sign-in/reset.tsx"), "ResetPage"),
});

/** The secret of a door link is in the fragment. */
const volunteer = createRoute({
  getParentRoute: () => root,
  path: "/door",
  component: page(() => import("../pages/volunteer/volunteer-page.tsx"), "VolunteerPage"),
});

/** Where the authorization server leads when a request of an app does not come to a decision. */
const connectProblem = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  validateSearch: ({ problem }: Record<string, unknown>): { problem?: string } =>
    typeof problem === "string" ? { problem } : {},
  component: page(() => import("../pages/connect/connect-problem.tsx"), "ConnectProblemPage"),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  component: page(() => import("../pages/docs/docs-frame.tsx"), "DocsFrame"),
});
const docsHome = createRoute({
  getParentRoute: () => docs,
  path: "/",
  component: page(() => import("../pages/docs/docs-home.tsx"), "DocsHomePage"),
});
const docsPage = createRoute({
  getParentRoute: () => docs,
  path: "$",
  component: page(() => import("../pages/docs/docs-page.tsx"), "DocsPage"),
});

/** Pages that visitors see too. */
export const publicRoutes = [
  landing,
  signIn,
  signedIn,
  invite,
  reset,
  volunteer,
  connectProblem,
  docs.addChildren([docsHome, docsPage]),
] as const;
