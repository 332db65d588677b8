import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { changedSearch, type EventChanges, eventSearch } from "./event-search.ts";
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
      <EventsFilters organizationId={organization.id} search={search} onChange={set} />
      <Suspense fallback={<Skeleton height="480px" label="Loading events" />}>
        {search.view === "calendar" ? <EventsCalendar {...parts} /> : <EventsTable {...parts} />}
      </Suspense>
    </>
  );
}
