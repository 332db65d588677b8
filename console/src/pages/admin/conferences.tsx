import { useState } from "react";
import type { ConferenceRow } from "../../../../contract/console/admin.ts";
import { byTime } from "../../../../contract/orders.ts";
import { formatCount } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { useFilters } from "../../shell/use-filters.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { useRows } from "./admin-api.ts";
import type { CardColumn } from "./card-table.tsx";
import { formatDates } from "./dates.ts";
import { ConferenceForm, EditRow } from "./edit-button.tsx";
import styles from "./row-list.module.css";
import { RowList } from "./row-list.tsx";
import { orderWords, SortSelect } from "./sort-select.tsx";
import { StatusLabel, statusOptions } from "./status.tsx";

const columns: CardColumn<ConferenceRow>[] = [
  {
    title: "Conference",
    width: "70%",
    cell: ({ id, name, slug }) => (
      <>
        <Link quiet to="/admin/conferences/$id" params={{ id }}>
          {name}
        </Link>
        <span className={styles.second}>{slug}</span>
      </>
    ),
  },
  { title: "City", isShort: true, cell: ({ city }) => city },
  { title: "Dates", isShort: true, cell: ({ start_date, end_date }) => formatDates(start_date, end_date) },
  { title: "Status", cell: ({ status }) => <StatusLabel status={status} /> },
  {
    title: "Events",
    align: "end",
    isShort: true,
    cell: ({ events, drafts }) => (
      <>
        {formatCount(events)}
        {drafts > 0 && <span className={styles.second}>{formatCount(drafts)} in draft</span>}
      </>
    ),
  },
  { title: "Actions", isActions: true, cell: ({ id, name }) => <EditRow list="conferences" id={id} name={name} /> },
];

export function ConferencesPage() {
  usePageTitle("Conferences");
  const { filters, set, clear } = useFilters(["q", "status", "sort"]);
  const typed = useTypedFilter(filters.q, (q) => set({ q }));
  const [creating, setCreating] = useState(false);
  const list = useRows("conferences", filters);
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      Create conference
    </Button>
  );
  const filtered = filters.q !== undefined || filters.status !== undefined;
  return (
    <>
      <PageHeader title="Conferences" actions={create} />
      <FilterBar onClear={clear} count={shownCount(list, "conference")}>
        <SearchField label="Search by name, slug or city" {...typed} />
        <Select
          label="Status"
          hideLabel
          options={statusOptions}
          value={filters.status ?? ""}
          onChange={(status) => set({ status })}
        />
        <SortSelect orders={byTime} value={filters.sort} onChange={(sort) => set({ sort })} />
      </FilterBar>
      <RowList
        list={list}
        caption={`Conferences, ${orderWords(byTime, filters.sort)}`}
        columns={columns}
        empty={
          filtered ? (
            <EmptyState icon="search" title="No conference matches">
              Try other words, or any status.
            </EmptyState>
          ) : (
            <EmptyState icon="calendar" title="There is no conference yet" action={create}>
              A conference starts as a draft. Add its events, then publish it.
            </EmptyState>
          )
        }
      />
      {creating && <ConferenceForm onClose={() => setCreating(false)} />}
    </>
  );
}
