import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { HostRole, Status } from "../../../../contract/nouns.ts";
import type { Role } from "../../../../contract/roles.ts";
import { get, path } from "../../api/client.ts";
import type { Page } from "../../api/pages.ts";
import { platformKey } from "../../api/query-keys.ts";
import type { ActivityRecord } from "../activity/record-data.ts";

export type ConferenceRow = {
  id: string;
  name: string;
  slug: string;
  city: string;
  start_date: string;
  end_date: string;
  timezone: string;
  status: Status;
  category: string;
  events: number;
  drafts: number;
};

export type Conference = Omit<ConferenceRow, "events" | "drafts"> & {
  short_name: string;
  description: string;
  banner_thumbnail_url: string | null;
  events_by_status: Record<Status, number>;
  keys: number;
};

type NamedConference = { id: string; name: string; slug: string; status: Status };

export type EventRow = {
  id: string;
  name: string;
  start_time: string;
  end_time: string;
  timezone: string;
  status: Status;
  category: string;
  ticketing_event_id: string | null;
  conference: NamedConference;
  host: string | null;
};

export type EventDetails = Omit<EventRow, "host"> & {
  venue: string | null;
  description: string | null;
  luma_url: string | null;
  capacity: number | null;
  created_at: string;
  hosts: { id: string; name: string; slug: string; role: HostRole }[];
  registrations: number;
  posters: number;
};

export type OrganizationRow = {
  id: string;
  name: string;
  slug: string;
  logo_url: string | null;
  created_at: string;
  members: number;
  owners: number;
  keys: number;
  events: number;
};

export type OrganizationDetails = OrganizationRow & {
  description: string | null;
  website_url: string | null;
  contact_email: string | null;
  people: { id: string; name: string; email: string; role: Role }[];
};

export type Invitation = {
  id: string;
  email: string;
  organization_id: string | null;
  role: Role | null;
  platform_admin: boolean;
  invited_by: string;
  created_at: string;
  expires_at: string;
};

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  platform_admin: boolean;
  unverified: boolean;
  last_seen_at: string | null;
  keys: number;
  organizations: { id: string; name: string; slug: string; role: Role }[];
};

export type PlatformKeyRow = {
  id: string;
  prefix: string;
  name: string;
  tier: "super-admin" | "conference";
  conference_id: string | null;
  conference: string | null;
  created_at: string;
  created_by: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  state: "active" | "revoked" | "expired" | "inactive";
  expires_soon: boolean;
};

/** Administrators see all of every record. */
export type RecordRow = Omit<ActivityRecord, "own">;

type Concern = { count: number; items: { id: string; name: string }[] };

export type Overview = {
  counts: { conferences: number; events: number; organizations: number; people: number };
  attention: {
    draft_conferences: Concern;
    empty_conferences: Concern;
    ownerless_organizations: Concern;
    expiring_keys: Concern;
    unfinished_writes: { count: number; days: number };
  };
};

export type Rows = {
  conferences: ConferenceRow;
  events: EventRow;
  organizations: OrganizationRow;
  people: PersonRow;
  keys: PlatformKeyRow;
  records: RecordRow;
};

type Details = { conferences: Conference; events: EventDetails; organizations: OrganizationDetails };

/** Empty filters are left out. */
export function queryOf(filters: Record<string, string | undefined>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return new URLSearchParams(given).toString();
}

export async function readRows<Name extends keyof Rows>(
  list: Name,
  filters: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<Page<Rows[Name]>> {
  return get<Page<Rows[Name]>>(`/api/console/admin/${list}?${queryOf(filters)}`, signal);
}

/** A list as far as it was read. */
export type RowQuery<Row> = {
  /** Undefined until the first page is there. */
  rows: Row[] | undefined;
  error: Error | null;
  /** The rows are those of the filters before. */
  isStale: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  readMore: () => void;
  readAgain: () => void;
};

/** A list with its filters, page after page. What was found before stays while something else is looked for. */
export function useRows<Name extends keyof Rows>(
  list: Name,
  filters: Record<string, string | undefined> = {},
): RowQuery<Rows[Name]> {
  const query = useInfiniteQuery({
    queryKey: platformKey(list, "rows", queryOf(filters)),
    queryFn: ({ pageParam, signal }) => readRows(list, { ...filters, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}

export const detailQuery = <Name extends keyof Details>(list: Name, id: string) =>
  queryOptions({
    queryKey: platformKey(list, "one", id),
    queryFn: ({ signal }) => get<Details[Name]>(path`/api/console/admin/${list}/${id}`, signal),
  });

export const useDetail = <Name extends keyof Details>(list: Name, id: string) => useQuery(detailQuery(list, id));

export const useOverview = () =>
  useQuery({
    queryKey: platformKey("overview"),
    queryFn: ({ signal }) => get<Overview>("/api/console/admin/overview", signal),
  });

/** Open invitations to an organization, or to the platform only. */
export const useInvitations = (organization?: string) =>
  useQuery({
    queryKey: platformKey("invitations", organization ?? null),
    queryFn: ({ signal }) =>
      get<{ items: Invitation[] }>(`/api/console/admin/invitations?${queryOf({ organization })}`, signal),
  });
