import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentProps, Suspense } from "react";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { shownCount } from "../../ui/filter-bar.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { changedSearch, type EventChanges, eventSearch, tableQuery } from "./event-search.ts";
import { EventsFilters } from "./events-filters.tsx";
import { Proposals, ProposeButton } from "./proposals.tsx";

/** Each view is loaded when it is shown. */
const EventsTable = lazyPart(() => import("./events-table.tsx"), "EventsTable");
const EventsCalendar = lazyPart(() => import("./events-calendar.tsx"), "EventsCalendar");

const views = [
  { value: "table", label: "Table", icon: "list" },
  { value: "calendar", label: "Calendar", icon: "calendar" },
] as const;

/** All events that the organization hosts. */
export function EventsPage() {
  usePageTitle("Events");
  const organization = useOrganization();
  const search = eventSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const set = (changes: EventChanges) =>
    void navigate({
      to: "/o/$organization/events",
      params: { organization: organization.slug },
      search: changedSearch(search, changes),
      replace: true,
      resetScroll: false,
    });
  const parts = { organization, search, onChange: set };
  return (
    <>
      <PageHeader
        title="Events"
        description={`What ${organization.name} hosts or co-hosts.`}
        actions={
          <>
            <ChoiceButtons
              look="segments"
              label="View"
              options={[...views]}
              value={search.view ?? "table"}
              onChange={(view) => set({ view: view === "calendar" ? view : undefined })}
            />
            <ProposeButton organization={organization} />
          </>
        }
      />
      <Proposals organization={organization} />
      {search.view === "calendar" ? <Calendar {...parts} /> : <Table {...parts} />}
    </>
  );
}

type Parts = Omit<ComponentProps<typeof EventsFilters>, "count">;

const loading = <Skeleton height="480px" label="Loading events" />;

const Calendar = (parts: Parts) => (
  <>
    <EventsFilters {...parts} />
    <Suspense fallback={loading}>
      <EventsCalendar {...parts} />
    </Suspense>
  </>
);

function Table(parts: Parts) {
  const { id } = parts.organization;
  const query = tableQuery(parts.search);
  const list = usePages(organizationKey(id, "list", "events", query), (cursor, signal) =>
    call("events", { organization: id, query: { ...query, cursor } }, { signal }),
  );
  return (
    <>
      <EventsFilters {...parts} count={shownCount(list, "event")} />
      <Suspense fallback={loading}>
        <EventsTable {...parts} list={list} />
      </Suspense>
    </>
  );
}
