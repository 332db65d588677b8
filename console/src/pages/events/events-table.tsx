import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import type { Pages } from "../../api/paging.ts";
import { formatCount } from "../../format/counts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type DataColumn, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Link } from "../../ui/link.tsx";
import { useRowSelection } from "../../ui/row-selection.ts";
import { TableSkeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { type EventChanges, type EventSearch, isFiltered } from "./event-search.ts";
import styles from "./events.module.css";
import { Needs } from "./needs.tsx";
import { PublishBar } from "./publish-bar.tsx";

type Props = {
  list: Pages<DashboardEvent>;
  organization: Organization;
  search: EventSearch;
  onChange: (changes: EventChanges) => void;
};

const rowHeight = 72;

export function EventsTable({ list, organization, search, onChange }: Props) {
  const { id, slug } = organization;
  const selection = useRowSelection(JSON.stringify(search));
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(slug), [slug]);
  const mayPublish = roleAtLeast(organization.role, "admin");
  if (list.items.length === 0 && list.error !== null) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <TableSkeleton label="Loading events" rows={5} rowHeight="64px" />;
  if (list.items.length === 0) return <NoEvents search={search} onChange={onChange} />;
  const selected = list.items.filter((event) => selection.has(event.id));
  return (
    <div aria-busy={list.isStale}>
      <DataTable
        label="Events"
        columns={columns}
        rows={list.items}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowHeight={rowHeight}
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        onMore={list.showMore}
        {...(mayPublish ? { selection } : {})}
        onRowAction={({ id: event }) =>
          void navigate({ to: "/o/$organization/events/$event", params: { organization: slug, event } })
        }
      />
      {selected.length > 0 && <PublishBar organizationId={id} selected={selected} onClear={selection.clear} />}
    </div>
  );
}

const columnsOf = (slug: string): DataColumn<DashboardEvent>[] => [
  { title: "Event", width: "minmax(0, 2.2fr)", cell: (event) => <NameCell event={event} slug={slug} /> },
  {
    title: "Date",
    width: "168px",
    wideOnly: true,
    cell: ({ start_time, timezone }) => (
      <span className={styles.lines}>
        <Time at={start_time} zone={timezone} show="day" />
        <span className="muted small">
          <Time at={start_time} zone={timezone} show="clock" />
        </span>
      </span>
    ),
  },
  { title: "Guests", width: "112px", wideOnly: true, cell: (event) => <GuestsCell event={event} /> },
  {
    title: "Needs",
    width: "minmax(0, 1.4fr)",
    wideOnly: true,
    cell: (event) => (
      <span className={styles.needs}>
        <Needs event={event} slug={slug} />
      </span>
    ),
  },
];

function NameCell({ event, slug }: { event: DashboardEvent; slug: string }) {
  const { id, name, status, role, conference, venue, start_time, timezone } = event;
  return (
    <span className={styles.lines}>
      <span className="flex centered gap-2">
        <Link
          to="/o/$organization/events/$event"
          params={{ organization: slug, event: id }}
          quiet
          dir="auto"
          className="ellipsis medium"
        >
          {name}
        </Link>
        {status === "approved" && <Badge>Approved</Badge>}
        {role === "co_host" && <Badge>Co-host</Badge>}
      </span>
      <span className={styles.narrow}>
        <Time at={start_time} zone={timezone} show="day" />, <Time at={start_time} zone={timezone} show="clock" />
      </span>
      <span className={styles.wide} dir="auto">
        {venue === null ? conference.name : `${conference.name} · ${venue}`}
      </span>
      <span className={styles.narrow}>
        <Needs event={event} slug={slug} />
      </span>
    </span>
  );
}

function GuestsCell({ event: { approved, capacity, pending } }: { event: DashboardEvent }) {
  return (
    <span className={styles.lines}>
      <span>{capacity === null ? formatCount(approved) : `${formatCount(approved)} of ${formatCount(capacity)}`}</span>
      {pending > 0 && <span className="warning small">{formatCount(pending)} pending</span>}
    </span>
  );
}

function NoEvents({ search, onChange }: Pick<Props, "search" | "onChange">) {
  if (search.needs === "me") {
    return (
      <EmptyState icon="check-circle" title="No event needs you">
        Nothing is waiting at the events that these filters find.
      </EmptyState>
    );
  }
  if (isFiltered(search)) {
    return (
      <EmptyState icon="search" title="No event matches">
        Try another date, conference or state.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="calendar"
      title="No upcoming events"
      action={<Button onPress={() => onChange({ when: "past" })}>Show past events</Button>}
    >
      An event appears here when your organization is its host or co-host.
    </EmptyState>
  );
}
