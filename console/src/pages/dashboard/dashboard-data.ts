import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Attention, ListedKind } from "../../../../contract/attention.ts";
import type { HostRole } from "../../../../contract/nouns.ts";
import { get, path, post } from "../../api/client.ts";
import type { Page } from "../../api/pages.ts";
import { organizationKey } from "../../api/query-keys.ts";
import type { StalePart } from "../posters/poster.ts";

export type PosterPicture = {
  id: string;
  title: string | null;
  image_url: string;
  thumbnail_url: string | null;
  /** As the maker of the poster stated them: of any type. */
  width: unknown;
  height: unknown;
  format: string | null;
  alt_text: string | null;
  event: { id: string; name: string };
};

export type PostedLink = { platform: string; url: string; reported_at: string };
export type DashboardLink = PostedLink & { poster: PosterPicture };
export type DashboardPoster = PosterPicture & {
  published: boolean;
  created_at: string;
  links: PostedLink[];
  stale: StalePart[];
};

export type DashboardEvent = {
  id: string;
  name: string;
  start_time: string;
  end_time: string;
  timezone: string;
  venue: string | null;
  role: HostRole;
  capacity: number | null;
  pending: number;
  approved: number;
  checked_in: number;
  posters: { published: number; drafts: number; unposted: number };
  conference: { id: string; name: string; city: string; start_date: string; end_date: string };
};

type EventReference = { id: string; name: string; start_time: string; timezone: string };

type NamedOrganization = { id: string; name: string; slug: string };

export type ReceivedOffer = { event: EventReference; from: NamedOrganization; to: NamedOrganization };

export type AttentionLine =
  | ({ kind: "host_offer" } & ReceivedOffer)
  | { kind: "expiring_key"; key: { id: string; name: string; expires_at: string } }
  | (Attention<ListedKind> & { event: EventReference });

export type News = { links: number; guests: number; changes: number; counted_at_most: number };

export type Dashboard = {
  attention: { lines: AttentionLine[]; in_all: number };
  since: string | null;
  news: News | null;
  links: Page<DashboardLink>;
  posters: Page<DashboardPoster>;
  events: Page<DashboardEvent>;
};

const dashboardQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "dashboard"),
    queryFn: ({ signal }) => get<Dashboard>(path`/api/console/organizations/${organizationId}/dashboard`, signal),
  });

export const useDashboard = (organizationId: string) => useQuery(dashboardQuery(organizationId));

const noteEveryMs = 5 * 60_000;

/** Tells the service that somebody looks, now and while the page stays visible. */
export function useVisit(organizationId: string): void {
  useEffect(() => {
    const note = () => {
      if (document.visibilityState !== "visible") return;
      // What is new is a convenience: the page works without it.
      void post(path`/api/console/organizations/${organizationId}/visits`).catch(() => {});
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
