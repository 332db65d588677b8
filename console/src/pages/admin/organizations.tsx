import { useState } from "react";
import type { OrganizationRow } from "../../../../contract/console/admin.ts";
import { byNameOrAge } from "../../../../contract/orders.ts";
import { formatCount } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { useFilters } from "../../shell/use-filters.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { useRows } from "./admin-api.ts";
import type { CardColumn } from "./card-table.tsx";
import { EditRow, OrganizationForm } from "./edit-button.tsx";
import styles from "./row-list.module.css";
import { RowList } from "./row-list.tsx";
import { orderWords, SortSelect } from "./sort-select.tsx";

const columns: CardColumn<OrganizationRow>[] = [
  {
    title: "Organization",
    width: "70%",
    cell: ({ id, name, slug, logo_url }) => (
      <span className="flex gap-3 centered">
        <Avatar name={name} imageUrl={logo_url} square />
        <span className="shrinks">
          <Link quiet to="/admin/organizations/$id" params={{ id }}>
            {name}
          </Link>
          <span className={styles.second}>{slug}</span>
        </span>
      </span>
    ),
  },
  {
    title: "Members",
    align: "end",
    cell: ({ members, owners }) => (owners === 0 ? <Status tone="warning">No owner</Status> : formatCount(members)),
  },
  { title: "Keys", align: "end", cell: ({ keys }) => formatCount(keys) },
  { title: "Visible events", align: "end", cell: ({ events }) => formatCount(events) },
  {
    title: "Actions",
    isActions: true,
    cell: ({ id, name }) => <EditRow list="organizations" id={id} name={name} />,
  },
];

export function OrganizationsPage() {
  usePageTitle("Organizations");
  const { filters, set, clear } = useFilters(["q", "sort"]);
  const typed = useTypedFilter(filters.q, (q) => set({ q }));
  const [creating, setCreating] = useState(false);
  const list = useRows("organizations", filters);
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      Create organization
    </Button>
  );
  return (
    <>
      <PageHeader title="Organizations" actions={create} />
      <FilterBar onClear={clear} count={shownCount(list, "organization")}>
        <SearchField label="Search by name or slug" {...typed} />
        <SortSelect orders={byNameOrAge} value={filters.sort} onChange={(sort) => set({ sort })} />
      </FilterBar>
      <RowList
        list={list}
        caption={`Organizations, ${orderWords(byNameOrAge, filters.sort)}`}
        columns={columns}
        empty={
          filters.q === undefined ? (
            <EmptyState icon="building" title="There is no organization yet" action={create}>
              An organization hosts events. Create one and invite its owner.
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No organization matches" />
          )
        }
      />
      {creating && <OrganizationForm onClose={() => setCreating(false)} />}
    </>
  );
}
