import { useState } from "react";
import { capitalized } from "../../../../contract/capitalized.ts";
import { sentenceOf, sentenceText, type ToldChange } from "../../../../contract/change-sentence.ts";
import type { ListedRecord } from "../../../../contract/console/records.ts";
import { doorLinkActor } from "../../../../contract/door-links.ts";
import { recordVias, viaWords } from "../../../../contract/nouns.ts";
import { toolOptions } from "../../../../contract/tool-words.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { countOf } from "../../format/counts.ts";
import { describeValue, differencesOf } from "../../format/differences.ts";
import { localZone } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { useFilters } from "../../shell/use-filters.ts";
import { DownloadLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { exportAddress, useRows } from "./admin-api.ts";
import type { CardColumn } from "./card-table.tsx";
import { NamedFilter } from "./named-filter.tsx";
import styles from "./row-list.module.css";
import { RowList } from "./row-list.tsx";

const ways = [{ value: "", label: "Any source" }, ...recordVias.map((value) => ({ value, label: viaWords[value] }))];

const times = [
  { value: "", label: "Any time" },
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
];

const named = ["organization", "event", "person"] as const;

export function RecordsPage() {
  usePageTitle("Records");
  const { filters, set, clear } = useFilters(["text", "tool", "via", "days", ...named]);
  const typed = useTypedFilter(filters.text, (text) => set({ text }));
  const [open, setOpen] = useState<string>();
  const { days, ...rest } = filters;
  const query = { ...rest, since: sinceOf(days) };
  const list = useRows("records", query);
  return (
    <>
      <PageHeader
        title="Records"
        description="Every change on the platform: who, how, what and why."
        actions={<DownloadLink href={exportAddress(query)}>Export</DownloadLink>}
      />
      <FilterBar onClear={clear} count={shownCount(list, "record")}>
        <SearchField label="Search names and reasons" {...typed} />
        <Select
          label="What"
          hideLabel
          options={[{ value: "", label: "Any change" }, ...toolOptions(list.items, filters.tool)]}
          value={filters.tool ?? ""}
          onChange={(tool) => set({ tool })}
        />
        <Select label="How" hideLabel options={ways} value={filters.via ?? ""} onChange={(via) => set({ via })} />
        <Select label="When" hideLabel options={times} value={days ?? ""} onChange={(value) => set({ days: value })} />
        {named.map(
          (name) =>
            filters[name] !== undefined && (
              <NamedFilter key={name} kind={name} id={filters[name]} onRemove={() => set({ [name]: "" })} />
            ),
        )}
      </FilterBar>
      <RowList
        list={list}
        caption="Records, newest first"
        columns={columnsOf(open, setOpen)}
        details={(record) => record.id === open && <RecordDetails record={record} />}
        empty={
          <EmptyState icon="activity" title="No record matches">
            Try other words, another change, source or time.
          </EmptyState>
        }
      />
    </>
  );
}

/** "Approved 8 guests: Ana, Ben and 6 more". */
const wordsOf = (record: ToldChange): string => capitalized(sentenceText(sentenceOf(record)));

/** On the hour, so that the same list is asked for with the same query. */
function sinceOf(days: string | undefined): string | undefined {
  if (days === undefined) return undefined;
  const hourMs = 3_600_000;
  return new Date(Math.floor(Date.now() / hourMs) * hourMs - Number(days) * 24 * hourMs).toISOString();
}

function columnsOf(open: string | undefined, setOpen: (id: string | undefined) => void): CardColumn<ListedRecord>[] {
  return [
    {
      title: "Change",
      width: "70%",
      cell: (record) => (
        <>
          {wordsOf(record)}
          <span className={styles.second}>{record.reason ?? "No reason given"}</span>
        </>
      ),
    },
    { title: "Who", cell: (record) => <Actor record={record} /> },
    { title: "Concerns", cell: (record) => <Subject record={record} /> },
    { title: "When", isShort: true, cell: ({ at }) => <RelativeTime at={at} /> },
    {
      title: "Details",
      isActions: true,
      cell: ({ id, ...record }) => (
        <IconButton
          icon={open === id ? "chevron-down" : "chevron-right"}
          label={open === id ? "Hide details" : `Show details of “${wordsOf(record)}”`}
          aria-expanded={open === id}
          onPress={() => setOpen(open === id ? undefined : id)}
        />
      ),
    },
  ];
}

function Actor({ record: { user, operator, api_key, app, door_link, via } }: { record: ListedRecord }) {
  const person =
    user === null ? (operator ?? api_key?.name ?? app?.name ?? "Nobody named") : (user.name ?? "A removed person");
  const who = door_link === null ? person : doorLinkActor(user?.name ?? null, door_link.name);
  const name = user === null ? null : (api_key?.name ?? app?.name);
  const how = name == null ? viaWords[via] : `${viaWords[via]} ${name}`;
  return (
    <>
      {who}
      <span className={styles.second}>{how}</span>
    </>
  );
}

function Subject({ record: { event, organization } }: { record: ListedRecord }) {
  if (event === null && organization === null) return <span className={styles.second}>The platform</span>;
  return (
    <>
      {event !== null && (
        <Link quiet className="target" to="/admin/events/$id" params={{ id: event.id }}>
          {event.name ?? "A removed event"}
        </Link>
      )}
      {organization !== null && (
        <span className={event === null ? "" : styles.second}>
          <Link quiet className="target" to="/admin/organizations/$id" params={{ id: organization.id }}>
            {organization.name}
          </Link>
        </span>
      )}
    </>
  );
}

function RecordDetails({ record }: { record: ListedRecord }) {
  const zone = localZone();
  const { changes, changes_in_all: all } = record;
  return (
    <div className="column gap-4">
      {changes.length > 0 && <DifferenceList differences={differencesOf(changes, {}, {}, zone)} />}
      {all > changes.length && <p>and {countOf(all - changes.length, "more difference")}</p>}
      {record.outcome !== null && <p>Outcome: {describeValue(record.outcome, zone)}</p>}
      <p className={styles.second}>
        Record <code>{record.id}</code>, tool <code>{record.tool}</code>
      </p>
    </div>
  );
}
