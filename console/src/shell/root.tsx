import { Outlet, useRouter } from "@tanstack/react-router";
import { Suspense, useSyncExternalStore } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { personToRenew, subscribeToRenewal } from "../api/renewal.ts";
import { ChangeProvider } from "../change/use-change.tsx";
import { LeaveGuard } from "../drafts/leave-guard.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { ToastRegion } from "../ui/toast.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

/** Loaded when a session has ended: most do not while a page is open. */
const SignInAgain = lazyPart(() => import("./sign-in-again.tsx"), "SignInAgain");

function SessionRenewal() {
  const person = useSyncExternalStore(subscribeToRenewal, personToRenew);
  if (person === undefined) return null;
  return (
    <Suspense>
      <SignInAgain person={person} />
    </Suspense>
  );
}

/** What is around every page. */
export function Root() {
  const router = useRouter();
  return (
    <I18nProvider locale="en-GB">
      <RouterProvider navigate={(href) => router.history.push(href)}>
        <ChangeProvider>
          <OfflineBanner />
          <Outlet />
          <RouteAnnouncer />
          <ToastRegion />
          <LeaveGuard />
          <SessionRenewal />
        </ChangeProvider>
      </RouterProvider>
    </I18nProvider>
  );
}
