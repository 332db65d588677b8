import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useDeferredValue, useState } from "react";
import { useOrganization } from "../../../api/session.ts";
import { useOpenedByAddress } from "../../../shell/opened-by-address.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { SearchField } from "../../../ui/search-field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast-queue.ts";
import { useSettled } from "../../../ui/use-settled.ts";
import { useEvent } from "../event-page.ts";
import { ReadOnlyNotice } from "../read-only-notice.tsx";
import { GuestSelectionBar } from "./guest-selection-bar.tsx";
import styles from "./guests.module.css";
import { countIn, type GuestFilter, type StateFilter, stateFilters } from "./guests-api.ts";
import { GuestsToolbar } from "./guests-toolbar.tsx";
import { StateFilters } from "./state-filters.tsx";
import { useBulk } from "./use-bulk.tsx";
import { useGuestChanges, useGuestList } from "./use-guests.ts";
import { useSelectedGuests } from "./use-selected-guests.ts";

/** The windowing is loaded while the first guests are read. */
const GuestTable = lazyPart(() => import("./guest-table.tsx"), "GuestTable");

/** Loaded when they are first opened: the list comes first. */
const GuestDrawer = lazyPart(() => import("./guest-drawer.tsx"), "GuestDrawer");
const AddGuest = lazyPart(() => import("./add-guest.tsx"), "AddGuest");

export function GuestsPage() {
  usePageTitle("Guests");
  const organization = useOrganization();
  const { event = "" } = useParams({ strict: false });
  const { filter, setFilter } = useFilter();
  const changes = useGuestChanges(organization.id, event);
  const query = useDeferredValue(useSettled(filter.query, pauseMs));
  const list = useGuestList(organization.id, event, { state: filter.state, query });
  const counts = changes.data?.counts;
  const zone = changes.data?.event.timezone ?? "UTC";
  const { can_edit: canChange, status } = useEvent();
  const isCancelled = status === "archived";
  const [opened, setOpened] = useOpenedByAddress("guest");
  const [adding, setAdding] = useOpenedByAddress("add");
  const selected = useSelectedGuests({
    organization: organization.id,
    event,
    shown: isSettled(list, query, filter) ? filter : undefined,
    guests: list.guests,
    changes: changes.data,
  });
  const changeFilter = (next: GuestFilter) => {
    if (selected.states.length > 0) showToast("Selection cleared: the filter has changed");
    setFilter(next);
  };
  const startBulk = useBulk({ organization: organization.id, event, canChange }, counts, selected.clear);
  const total = filter.query === "" && counts !== undefined ? countIn(counts, filter.state) : undefined;
  const hasNobody = counts !== undefined && countIn(counts, "all") === 0;
  return (
    <>
      <h2 className="visually-hidden">Guests</h2>
      {isCancelled && <ReadOnlyNotice />}
      <div className={styles.tools}>
        <div className={styles.top}>
          <div className={styles.search}>
            <SearchField
              label="Search name or e-mail"
              value={filter.query}
              onChange={(query) => changeFilter({ ...filter, query })}
            />
          </div>
          <GuestsToolbar event={event} filter={filter} canChange={canChange} onAdd={() => setAdding("true")} />
        </div>
        <StateFilters value={filter.state} counts={counts} onChange={(state) => changeFilter({ ...filter, state })} />
      </div>
      {list.isError && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <TableSkeleton />
      ) : (
        <div className={styles.list} aria-busy={list.isPlaceholderData}>
          <Suspense fallback={<TableSkeleton />}>
            <GuestTable
              guests={list.guests}
              zone={zone}
              total={total}
              hasMore={list.hasNextPage}
              isLoadingMore={list.isFetchingNextPage || list.isFetchNextPageError}
              onMore={() => void list.fetchNextPage()}
              selection={isCancelled ? undefined : selected.selection}
              onOpen={({ id }) => setOpened(id)}
              empty={<NoGuests filter={filter} hasNobody={hasNobody} canChange={canChange} />}
            />
          </Suspense>
        </div>
      )}
      {selected.states.length > 0 && (
        <GuestSelectionBar
          selected={selected.states}
          onSelectAll={
            selected.states.length >=
            (selected.inAll ?? (list.hasNextPage ? Number.POSITIVE_INFINITY : list.guests.length))
              ? undefined
              : () => void selected.selectAll()
          }
          isSelectingAll={selected.isSelectingAll}
          canChange={canChange}
          onAction={(action) => startBulk(action, selected.states)}
          onClear={selected.clear}
        />
      )}
      <Suspense>
        {opened !== undefined && (
          <GuestDrawer
            event={event}
            guest={list.guests.find(({ id }) => id === opened) ?? { id: opened, name: "Guest" }}
            zone={zone}
            onClose={() => setOpened(undefined)}
          />
        )}
        {canChange && adding !== undefined && (
          <AddGuest event={event} counts={counts} onClose={() => setAdding(undefined)} />
        )}
      </Suspense>
    </>
  );
}

/** Whether the guests that are shown are those of the filter. */
const isSettled = (list: ReturnType<typeof useGuestList>, query: string, filter: GuestFilter): boolean =>
  list.data !== undefined && !list.isPlaceholderData && query.trim() === filter.query.trim();

/** The filter is in the address: a reload, a link and Back lead to the same list. */
function useFilter(): { filter: GuestFilter; setFilter: (filter: GuestFilter) => void } {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const [query, setQuery] = useState(search.q === undefined ? "" : String(search.q));
  const known = stateFilters.find(({ value }) => value === search.state);
  const state: StateFilter = known?.value ?? "all";
  const setFilter = (next: GuestFilter) => {
    setQuery(next.query);
    const found = {
      ...(next.state === "all" ? {} : { state: next.state }),
      ...(next.query === "" ? {} : { q: next.query }),
    };
    void navigate({ to: ".", search: found as never, replace: true, resetScroll: false });
  };
  return { filter: { state, query }, setFilter };
}

const pauseMs = 120;

/** An empty list is often good news. */
const nobodyIn: Record<StateFilter, { title: string; text: string }> = {
  all: { title: "No guests", text: "Nobody is on the list." },
  pending: { title: "No pending guests", text: "All decided." },
  approved: { title: "No approved guests", text: "Guests appear here when they are approved." },
  waitlisted: { title: "Nobody is waitlisted", text: "Guests appear here when they are put on the waitlist." },
  declined: { title: "Nobody is declined", text: "Guests appear here when they are declined." },
  checked_in: { title: "Nobody is checked in", text: "Guests appear here when they arrive." },
};

function NoGuests({ filter, hasNobody, canChange }: { filter: GuestFilter; hasNobody: boolean; canChange: boolean }) {
  if (hasNobody) {
    return (
      <EmptyState icon="users" title="Nobody has registered yet">
        Guests appear here when they register{canChange ? ", or when you add them." : "."}
      </EmptyState>
    );
  }
  if (filter.query.trim() === "") {
    return (
      <EmptyState icon="users" title={nobodyIn[filter.state].title}>
        {nobodyIn[filter.state].text}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="search" title="Nobody matches">
      Try part of the name or the e-mail address{filter.state === "all" ? "." : ", or search in all states."}
    </EmptyState>
  );
}

function TableSkeleton() {
  return (
    <div className="column gap-4">
      <Skeleton height="36px" label="Loading guests" />
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <Skeleton key={key} height="40px" />
      ))}
    </div>
  );
}
