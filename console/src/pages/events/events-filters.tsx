import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import { eventSorts } from "../../../../contract/orders.ts";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { orderOptions } from "../../format/orders.ts";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { Select } from "../../ui/select.tsx";
import { type EventChanges, type EventSearch, isDay, isFiltered, periods, tableQuery } from "./event-search.ts";

const any = "any";

type Props = {
  organization: Organization;
  search: EventSearch;
  /** How many are shown. */
  count?: string | undefined;
  onChange: (changes: EventChanges) => void;
};

export function EventsFilters({ organization, search, count, onChange }: Props) {
  const conferences = useQuery({
    queryKey: organizationKey(organization.id, "conferences"),
    queryFn: ({ signal }) => call("conferences", { organization: organization.id }, { signal }),
    staleTime: 300_000,
  });
  const isTable = search.view !== "calendar";
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(cleared) : undefined} count={count}>
      <ChoiceButtons
        look="segments"
        label="Which events"
        options={[
          { value: any, label: "All" },
          { value: "me", label: "Needs me" },
        ]}
        value={search.needs ?? any}
        onChange={(value) => onChange({ needs: value === "me" ? value : undefined })}
      />
      {isTable && (
        <Select
          label="Date"
          hideLabel
          options={periods}
          value={search.when ?? "upcoming"}
          onChange={(when) => onChange({ when: when === "upcoming" ? undefined : when })}
        />
      )}
      <Select
        label="Conference"
        hideLabel
        options={[
          { value: any, label: "Any conference" },
          ...(conferences.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={search.conference ?? any}
        onChange={(value) => onChange({ conference: value === any ? undefined : value })}
      />
      <Select
        label="State"
        hideLabel
        options={[
          { value: any, label: "Any state" },
          { value: "approved", label: "Approved" },
          { value: "published", label: "Published" },
        ]}
        value={search.status ?? any}
        onChange={(value) => onChange({ status: value === any ? undefined : value })}
      />
      {isTable && (
        <Select
          label="Order"
          hideLabel
          options={orderOptions(eventSorts)}
          value={tableQuery(search).sort ?? eventSorts[0]}
          onChange={(sort) => onChange({ sort })}
        />
      )}
      {isTable && search.when === "dates" && <DateRange search={search} onChange={onChange} />}
    </FilterBar>
  );
}

const cleared: EventChanges = {
  when: undefined,
  from: undefined,
  until: undefined,
  conference: undefined,
  status: undefined,
  needs: undefined,
};

/** The address has only what is a day: what is typed until then stays in the field. */
function DateRange({ search, onChange }: Pick<Props, "search" | "onChange">) {
  const [typed, setTyped] = useState({ from: search.from ?? "", until: search.until ?? "" });
  const set = (name: "from" | "until") => (value: string) => {
    setTyped({ ...typed, [name]: value });
    onChange({ [name]: isDay(value) ? value : undefined });
  };
  const isBackwards = isDay(typed.from) && isDay(typed.until) && typed.until < typed.from;
  return (
    <>
      <DateField label="From" hideLabel placeholder="From" value={typed.from} onChange={set("from")} />
      <DateField
        label="Until"
        hideLabel
        placeholder="Until"
        value={typed.until}
        onChange={set("until")}
        error={isBackwards ? "This is before the first day" : undefined}
      />
    </>
  );
}
