import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { Select } from "../../ui/select.tsx";
import { type EventChanges, type EventSearch, periods, sorts, tableQuery } from "./event-search.ts";
import styles from "./events.module.css";

const any = "any";

type Props = { organizationId: string; search: EventSearch; onChange: (changes: EventChanges) => void };

export function EventsFilters({ organizationId, search, onChange }: Props) {
  const conferences = useQuery({
    queryKey: organizationKey(organizationId, "conferences"),
    queryFn: ({ signal }) => call("conferences", { organization: organizationId }, { signal }),
    staleTime: 300_000,
  });
  const isTable = search.view !== "calendar";
  return (
    <search className={styles.filters} aria-label="Filters">
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
        <div className={styles.filter}>
          <Select
            label="Date"
            hideLabel
            options={periods}
            value={search.when ?? "upcoming"}
            onChange={(when) => onChange({ when: when === "upcoming" ? undefined : when })}
          />
        </div>
      )}
      <div className={styles.filter}>
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
      </div>
      <div className={styles.filter}>
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
      </div>
      {isTable && (
        <div className={styles.filter}>
          <Select
            label="Order"
            hideLabel
            options={sorts}
            value={tableQuery(search).sort ?? "earliest"}
            onChange={(sort) => onChange({ sort })}
          />
        </div>
      )}
    </search>
  );
}
