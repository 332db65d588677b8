import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

type Page<Item> = { items: Item[]; next_cursor: string | null };

/** A list as far as it was read. */
export type Pages<Item> = {
  items: Item[];
  error: Error | null;
  isLoading: boolean;
  /** The items are those of the filters before. */
  isStale: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  showMore(): void;
  retry(): void;
};

/**
 * A list, page by page. A page that is there already, as part of another read, is passed as `first`; the list then reads only
 * what comes after it, when somebody asks for more.
 */
export function usePages<Item>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  first?: Page<Item>,
): Pages<Item> {
  const [wantsMore, setWantsMore] = useState(false);
  const start = first?.next_cursor ?? undefined;
  const query = useInfiniteQuery({
    queryKey: [...key, start ?? null],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: start,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: first === undefined || (wantsMore && start !== undefined),
    placeholderData: keepPreviousData,
  });
  const isRead = first === undefined || wantsMore;
  const pages = isRead ? (query.data?.pages ?? []) : [];
  return {
    items: [...(first?.items ?? []), ...pages.flatMap(({ items }) => items)],
    error: query.error,
    isLoading: first === undefined && query.isPending,
    isStale: query.isPlaceholderData,
    hasMore: isRead ? query.hasNextPage : start !== undefined,
    isLoadingMore: query.isFetchingNextPage || (wantsMore && query.isPending && start !== undefined),
    showMore: () => (isRead ? void query.fetchNextPage() : setWantsMore(true)),
    retry: () => void query.refetch(),
  };
}
