import { useState } from "react";
import { byTime } from "../../../../contract/orders.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { useFilters } from "../../shell/use-filters.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { useRows } from "./admin-api.ts";
import { eventColumns } from "./event-columns.tsx";
import { lazyForm } from "./lazy-form.tsx";
import { LookupFilter } from "./named-filter.tsx";
import { RowList } from "./row-list.tsx";
import { orderWords, SortSelect } from "./sort-select.tsx";
import { statusOptions } from "./status.tsx";

const EventForm = lazyForm(async () => (await import("./event-form.tsx")).EventForm);

export function EventsPage() {
  usePageTitle("Events");
  const { filters, set, clear } = useFilters(["q", "status", "conference", "organization", "sort", "proposed"]);
  const typed = useTypedFilter(filters.q, (q) => set({ q }));
  const [creating, setCreating] = useState(false);
  const list = useRows("events", filters);
  return (
    <>
      <PageHeader
        title="Events"
        actions={
          <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
            Create event
          </Button>
        }
      />
      <FilterBar onClear={clear} count={shownCount(list, "event")}>
        <SearchField label="Search by name" {...typed} />
        <Select
          label="Status"
          hideLabel
          options={[...statusOptions, { value: "proposed", label: "Proposed" }]}
          value={filters.proposed === undefined ? (filters.status ?? "") : "proposed"}
          onChange={(status) =>
            set(status === "proposed" ? { status: "", proposed: "true" } : { status, proposed: "" })
          }
        />
        <LookupFilter kind="conference" id={filters.conference} onChange={(conference) => set({ conference })} />
        <LookupFilter
          kind="organization"
          id={filters.organization}
          onChange={(organization) => set({ organization })}
        />
        <SortSelect orders={byTime} value={filters.sort} onChange={(sort) => set({ sort })} />
      </FilterBar>
      <RowList
        list={list}
        caption={`Events, ${orderWords(byTime, filters.sort)}`}
        columns={eventColumns}
        empty={
          <EmptyState icon="search" title="No event matches">
            Try other words, any status, conference and organization.
          </EmptyState>
        }
      />
      {creating && <EventForm onClose={() => setCreating(false)} />}
    </>
  );
}
