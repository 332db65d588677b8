import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { GuestChanges } from "../../../../../contract/console/guests.ts";
import type { ToolResult } from "../../../../../contract/console/tool-results.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { call } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { readTool } from "../../../api/tools.ts";
import { argumentsOf, type GuestFilter } from "./guests-api.ts";

const pageRows = 200;
/** A list that is not longer than this is read again after a change; in a longer one the changed guests are replaced. */
const reloadedPages = 2;

/** Not below eventKey: a live notice would read every page again that was scrolled through. */
export const listKey = (organization: string, event: string) => ["guest list", organization, event];

export function useGuestList(organization: string, event: string, filter: GuestFilter) {
  const list = useInfiniteQuery({
    queryKey: [...listKey(organization, event), argumentsOf(filter)],
    queryFn: ({ pageParam }) =>
      readTool(organization, "list_event_registrations", {
        event_id: event,
        limit: pageRows,
        ...argumentsOf(filter),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  });
  const pages = list.data?.pages;
  const guests = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  return { ...list, guests };
}

/** The event and its counts, kept up to date. Each time, the guests who changed are replaced in the lists. */
export function useGuestChanges(organization: string, event: string) {
  const queryKey = eventKey(organization, event, "guest changes");
  const changes = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call(
        "guestChanges",
        { organization, event, query: { since: queryClient.getQueryData<GuestChanges>(queryKey)?.as_of } },
        { signal },
      ),
  });
  const { data } = changes;
  useEffect(() => {
    if (data !== undefined) applyChanges(listKey(organization, event), data);
  }, [data, organization, event]);
  return changes;
}

export function applyChanges(key: string[], { items, reload }: Pick<GuestChanges, "items" | "reload">): void {
  if (items.length === 0 && !reload) return;
  const changed = new Map(items.map((guest) => [guest.id, guest]));
  for (const query of queryClient.getQueryCache().findAll({ queryKey: key })) {
    const data = query.state.data as InfiniteData<ToolResult<"list_event_registrations">> | undefined;
    if (data === undefined) continue;
    if (reload || data.pages.length <= reloadedPages) void queryClient.invalidateQueries({ queryKey: query.queryKey });
    else queryClient.setQueryData(query.queryKey, replaceGuests(data, changed));
  }
}

function replaceGuests(
  data: InfiniteData<ToolResult<"list_event_registrations">>,
  changed: Map<string, Omit<Guest, "registered_at">>,
): InfiniteData<ToolResult<"list_event_registrations">> {
  const replace = (guest: Guest): Guest => {
    const now = changed.get(guest.id);
    if (now === undefined) return guest;
    const { name, email, status, ticket_type, checked_in_at } = now;
    return { ...guest, name, email, status, ticket_type, checked_in_at };
  };
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) };
}
