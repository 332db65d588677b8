import { useQuery } from "@tanstack/react-query";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { type RecordVia, recordVias, viaWords } from "../../../../contract/nouns.ts";
import { toolOptions } from "../../../../contract/tool-words.ts";
import { call } from "../../api/client.ts";
import type { Pages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { formatDay, localZone } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { FilterBar, shownCount } from "../../ui/filter-bar.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { useTypedFilter } from "../../ui/use-typed-filter.ts";
import { type ActivitySearch, type Period, periods, startOf } from "./activity-search.ts";

type Props = {
  organizationId: string;
  search: ActivitySearch;
  /** The tools of the records that are shown can be chosen, others found by text. */
  list: Pages<ActivityRecord>;
  onChange: (search: ActivitySearch) => void;
};

const anyValue = "any";

const vias: { value: RecordVia | typeof anyValue; label: string }[] = [
  { value: anyValue, label: "Any source" },
  ...recordVias.map((value) => ({ value, label: viaWords[value] })),
];

export function ActivityFilters({ organizationId, search, list, onChange }: Props) {
  const records = list.items;
  const people = useQuery({
    queryKey: organizationKey(organizationId, "activity-people"),
    queryFn: ({ signal }) => call("activityPeople", { organization: organizationId }, { signal }),
    staleTime: 300_000,
  });
  const set = (name: keyof ActivitySearch, value: string | undefined) => {
    const { [name]: _, ...rest } = search;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  };
  const typed = useTypedFilter(search.text, (text) => set("text", text === "" ? undefined : text));
  const options = (names: { value: string; label: string }[], all: string) => [
    { value: anyValue, label: all },
    ...names,
  ];
  return (
    <FilterBar
      onClear={Object.keys(search).length > 0 ? () => onChange({}) : undefined}
      count={shownCount(list, "change")}
    >
      <SearchField label="Search names and reasons" {...typed} />
      <Select
        label="Person"
        hideLabel
        options={options(
          withChosen(people.data?.items, search.person).map(({ id, name }) => ({ value: id, label: name })),
          "Anyone",
        )}
        value={search.person ?? anyValue}
        onChange={(value) => set("person", value === anyValue ? undefined : value)}
      />
      <Select
        label="How"
        hideLabel
        options={vias}
        value={search.via ?? anyValue}
        onChange={(value) => set("via", value === anyValue ? undefined : value)}
      />
      <Select
        label="What"
        hideLabel
        options={options(toolOptions(records, search.tool), "Any change")}
        value={search.tool ?? anyValue}
        onChange={(value) => set("tool", value === anyValue ? undefined : value)}
      />
      <Select<Period | "since">
        label="When"
        hideLabel
        options={[
          ...periods,
          ...(search.since === undefined
            ? []
            : [{ value: "since" as const, label: `Since ${formatDay(search.since, localZone())}` }]),
        ]}
        value={search.since === undefined ? "any" : periodOf(search.since)}
        onChange={(value) => value !== "since" && set("since", startOf(value))}
      />
      {search.key !== undefined && (
        <Button icon="close" onPress={() => set("key", undefined)}>
          {records.find(({ api_key: key }) => key?.id === search.key)?.api_key?.name ?? "One key"}
        </Button>
      )}
      {search.app !== undefined && (
        <Button icon="close" onPress={() => set("app", undefined)}>
          {records.find(({ app }) => app?.id === search.app)?.app?.name ?? "One app"}
        </Button>
      )}
      {search.event !== undefined && (
        <Button icon="close" onPress={() => set("event", undefined)}>
          {records.find(({ event }) => event?.id === search.event)?.event?.name ?? "One event"}
        </Button>
      )}
    </FilterBar>
  );
}

type NamedPerson = { id: string; name: string };

/** The person of an address may have left since: the field would be empty. */
function withChosen(people: NamedPerson[] | undefined, chosen: string | undefined): NamedPerson[] {
  if (people === undefined) return chosen === undefined ? [] : [{ id: chosen, name: "…" }];
  if (chosen === undefined || people.some(({ id }) => id === chosen)) return people;
  return [...people, { id: chosen, name: "Someone who left" }];
}

/** The period that a start stands for; an address that was kept has one of its own. */
function periodOf(since: string): Period | "since" {
  const ageMs = Date.now() - Date.parse(since);
  const found = periods.find(
    ({ value }) => Math.abs(ageMs - (Date.now() - Date.parse(startOf(value) ?? ""))) < 600_000,
  );
  return found?.value ?? "since";
}
