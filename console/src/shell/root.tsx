import { Outlet, useRouter } from "@tanstack/react-router";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { ChangeProvider } from "../change/use-change.tsx";
import { ToastRegion } from "../ui/toast.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

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
        </ChangeProvider>
      </RouterProvider>
    </I18nProvider>
  );
}
