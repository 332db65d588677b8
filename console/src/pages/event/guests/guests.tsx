import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { useOrganization } from "../../../api/session.ts";
import { countOf } from "../../../format/counts.ts";
import { useOpenedByAddress } from "../../../shell/opened-by-address.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { shownCount } from "../../../ui/filter-bar.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { Section } from "../../../ui/section.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast-queue.ts";
import { useEvent } from "../event-page.ts";
import { ReadOnlyNotice } from "../read-only-notice.tsx";
import { GuestSelectionBar } from "./guest-selection-bar.tsx";
import styles from "./guests.module.css";
import { countIn, type GuestFilter, type StateFilter } from "./guests-api.ts";
import { GuestsFilters, useGuestFilter } from "./guests-filters.tsx";
import { GuestsToolbar } from "./guests-toolbar.tsx";
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
  const { filter, set, clear } = useGuestFilter();
  const changes = useGuestChanges(organization.id, event);
  const list = useGuestList(organization.id, event, filter);
  const counts = changes.data?.counts;
  const total = filter.query.trim() === "" && counts !== undefined ? countIn(counts, filter.state) : undefined;
  const zone = changes.data?.event.timezone ?? "UTC";
  const { can_edit: canChange, status } = useEvent();
  const isCancelled = status === "archived";
  const [, setOpened] = useOpenedByAddress("guest");
  const [, setAdding] = useOpenedByAddress("add");
  const selected = useSelectedGuests({
    organization: organization.id,
    event,
    shown: list.data === undefined || list.isPlaceholderData ? undefined : filter,
    guests: list.guests,
    changes: changes.data,
    total,
    hasMore: list.hasNextPage,
  });
  const changeFilter = (change: () => void) => {
    if (selected.states.length > 0) showToast("Selection cleared: the filter has changed");
    change();
  };
  const startBulk = useBulk({ organization: organization.id, event, canChange }, counts, selected.clear);
  const shown = { items: list.guests, isLoading: list.isPending, hasMore: list.hasNextPage };
  const hasNobody = counts !== undefined && countIn(counts, "all") === 0;
  return (
    <>
      {isCancelled && <ReadOnlyNotice />}
      <Section
        title="Guests"
        actions={<GuestsToolbar event={event} filter={filter} canChange={canChange} onAdd={() => setAdding("true")} />}
      >
        <GuestsFilters
          filter={filter}
          counts={counts}
          count={total === undefined ? shownCount(shown, "guest") : countOf(total, "guest")}
          onChange={(change) => changeFilter(() => set(change))}
          onClear={clear && (() => changeFilter(clear))}
        />
        {list.isError && list.data === undefined ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <GuestsSkeleton />
        ) : (
          <div className={styles.list} aria-busy={list.isPlaceholderData}>
            <Suspense fallback={<GuestsSkeleton />}>
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
            onSelectAll={selected.hasEverybody ? undefined : () => void selected.selectAll()}
            isSelectingAll={selected.isSelectingAll}
            canChange={canChange}
            onAction={(action) => startBulk(action, selected.states)}
            onClear={selected.clear}
          />
        )}
      </Section>
      <OpenedDialog event={event} guests={list.guests} counts={counts} zone={zone} canChange={canChange} />
    </>
  );
}

type OpenedProps = {
  event: string;
  guests: Guest[];
  counts: GuestCounts | undefined;
  zone: string;
  canChange: boolean;
};

/** What the address opens: a guest, or the form for a new one. */
function OpenedDialog({ event, guests, counts, zone, canChange }: OpenedProps) {
  const [opened, setOpened] = useOpenedByAddress("guest");
  const [adding, setAdding] = useOpenedByAddress("add");
  return (
    <Suspense>
      {opened !== undefined && (
        <GuestDrawer
          event={event}
          guest={guests.find(({ id }) => id === opened) ?? { id: opened, name: "Guest" }}
          zone={zone}
          onClose={() => setOpened(undefined)}
        />
      )}
      {canChange && adding !== undefined && (
        <AddGuest event={event} counts={counts} onClose={() => setAdding(undefined)} />
      )}
    </Suspense>
  );
}

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

function GuestsSkeleton() {
  return (
    <div className="column gap-4">
      <Skeleton height="36px" label="Loading guests" />
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <Skeleton key={key} height="40px" />
      ))}
    </div>
  );
}
