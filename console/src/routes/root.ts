import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import type { Session } from "../../../contract/console/account.ts";
import { queryClient } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";
import { BareErrorPage, BareNotFoundPage } from "../shell/problem-pages.tsx";
import { Root } from "../shell/root.tsx";
import { page } from "./page.ts";

const loadSession = (): Promise<Session> => queryClient.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });

export const root = createRootRoute({
  component: Root,
  beforeLoad: async () => ({ session: await loadSession() }),
  notFoundComponent: BareNotFoundPage,
  errorComponent: BareErrorPage,
});

/** Everything below is for signed-in people; others sign in first and then come back. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: ({ context: { session }, location }) => {
    if (session.person === null) throw redirect({ to: "/sign-in", search: { return_to: location.href } });
  },
  component: Outlet,
});

/** Navigation around pages. Each area has its own, which starts anew when somebody comes from another one. */
export const frame = () => page(() => import("../shell/frame.tsx"), "Frame");
