import { useNavigate } from "@tanstack/react-router";
import type { Organization } from "../../../../contract/console/account.ts";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { addressOf, call } from "../../api/client.ts";
import { usePages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { formatDay, localZone } from "../../format/times.ts";
import { Button, DownloadLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./activity.module.css";
import { ActivityFilters } from "./activity-filters.tsx";
import type { ActivitySearch } from "./activity-search.ts";
import { RecordRow } from "./record-row.tsx";

type Props = {
  organization: Organization;
  search: ActivitySearch;
  /** Shows the records of this event only. */
  eventId?: string;
  /** Shows what this key has changed, all of it, without filters. */
  keyId?: string;
};

/** The records of changes, newest first, by day. */
export function ActivityList({ organization, search, eventId, keyId }: Props) {
  const navigate = useNavigate();
  const filters = {
    ...search,
    ...(eventId === undefined ? {} : { event: eventId }),
    ...(keyId === undefined ? {} : { key: keyId }),
  };
  const pages = usePages(organizationKey(organization.id, "list", "activity", filters), (cursor, signal) =>
    call("activity", { organization: organization.id, query: { ...filters, cursor } }, { signal }),
  );
  const change = (next: ActivitySearch) => void navigate({ to: ".", search: next as never, replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      {keyId === undefined && (
        <ActivityFilters organizationId={organization.id} search={search} list={pages} onChange={change} />
      )}
      {pages.error !== null && pages.items.length === 0 ? (
        <ErrorState error={pages.error} onRetry={pages.retry} />
      ) : pages.isLoading ? (
        <LoadingRecords />
      ) : pages.items.length === 0 && keyId !== undefined ? (
        <p className="muted">Nothing yet.</p>
      ) : pages.items.length === 0 ? (
        <NoRecords isFiltered={isFiltered} />
      ) : (
        <div aria-busy={pages.isStale}>
          {byDay(pages.items).map(({ day, records }) => (
            <section key={day} className="space-below">
              <h2 className={styles.date}>{day}</h2>
              <ul>
                {records.map((record) => (
                  <RecordRow
                    key={record.id}
                    record={record}
                    slug={organization.slug}
                    hidesEvent={eventId !== undefined}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {pages.hasMore && pages.items.length > 0 && (
        <Button isPending={pages.isLoadingMore} onPress={pages.showMore}>
          Show older changes
        </Button>
      )}
    </>
  );
}

/** Downloads what the filters match, all of it. */
export function ExportButton({ organization, search, eventId }: Props) {
  const query = { ...search, ...(eventId === undefined ? {} : { event: eventId }) };
  return (
    <DownloadLink href={addressOf("exportActivity", { organization: organization.id, query })}>Export</DownloadLink>
  );
}

function byDay(records: ActivityRecord[]): { day: string; records: ActivityRecord[] }[] {
  const zone = localZone();
  const groups: { day: string; records: ActivityRecord[] }[] = [];
  for (const record of records) {
    const day = formatDay(record.at, zone);
    const last = groups.at(-1);
    if (last?.day === day) last.records.push(record);
    else groups.push({ day, records: [record] });
  }
  return groups;
}

function NoRecords({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon="filter" title="No change matches">
        A search by text or person finds changes of your own organization only. Text is looked for in the newest 10,000
        changes that match the other filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="activity" title="Nothing has changed yet">
      Every change that people and agents make is recorded here: who, how, why, and what was different before.
    </EmptyState>
  );
}

function LoadingRecords() {
  return (
    <div className="column gap-4">
      {["a", "b", "c", "d", "e"].map((key, index) => (
        <Skeleton key={key} height="76px" {...(index === 0 ? { label: "Loading" } : {})} />
      ))}
    </div>
  );
}
