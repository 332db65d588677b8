import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

const dashboardQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "dashboard"),
    queryFn: ({ signal }) => call("dashboard", { organization: organizationId }, { signal }),
  });

export const useDashboard = (organizationId: string) => useQuery(dashboardQuery(organizationId));

const noteEveryMs = 5 * 60_000;

/** Tells the service that somebody looks, now and while the page stays visible. */
export function useVisit(organizationId: string): void {
  useEffect(() => {
    const note = () => {
      if (document.visibilityState !== "visible") return;
      // What is new is a convenience: the page works without it.
      void call("noteVisit", { organization: organizationId }).catch(() => {});
    };
    note();
    const timer = setInterval(note, noteEveryMs);
    document.addEventListener("visibilitychange", note);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", note);
    };
  }, [organizationId]);
}
