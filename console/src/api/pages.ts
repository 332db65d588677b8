import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, path } from "./client.ts";
import { organizationKey } from "./query-keys.ts";

export type Page<Item> = { items: Item[]; next_cursor: string | null };

type Filters = Record<string, string | undefined>;

const pageSize = 50;

/**
 * A list of an organization, page by page. A page that is there already, as part of another read, is passed as `first`; the
 * list then reads only what comes after it, when somebody asks for more.
 */
export function usePages<Item>(organizationId: string, list: string, filters: Filters, first?: Page<Item>) {
  const [wantsMore, setWantsMore] = useState(false);
  const start = first?.next_cursor ?? null;
  const query = useInfiniteQuery({
    queryKey: organizationKey(organizationId, "list", list, filters, start),
    queryFn: ({ pageParam, signal }) =>
      get<Page<Item>>(
        `${listPath(organizationId, list)}?${queryOf({ ...filters, cursor: pageParam ?? undefined })}`,
        signal,
      ),
    initialPageParam: start,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: first === undefined || (wantsMore && start !== null),
    placeholderData: keepPreviousData,
  });
  const shown = first === undefined || wantsMore ? (query.data?.pages ?? []) : [];
  const items = [...(first?.items ?? []), ...shown.flatMap((page) => page.items)];
  return {
    items,
    error: query.error,
    retry: () => void query.refetch(),
    isLoading: first === undefined && query.isPending,
    isStale: query.isPlaceholderData,
    hasMore: first === undefined || wantsMore ? query.hasNextPage : start !== null,
    isLoadingMore: query.isFetchingNextPage || (wantsMore && query.isPending && start !== null),
    showMore: () => (first === undefined || wantsMore ? void query.fetchNextPage() : setWantsMore(true)),
  };
}

export const listPath = (organizationId: string, list: string) =>
  `${path`/api/console/organizations/${organizationId}`}/${list}`;

export function queryOf(filters: Filters): string {
  const given = Object.entries({ limit: String(pageSize), ...filters }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given as [string, string][]).toString();
}
