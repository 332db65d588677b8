import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { platformKey } from "../../api/query-keys.ts";
import { Button } from "../../ui/button.tsx";
import { detailQuery, readRows } from "./admin-api.ts";
import { LookupField } from "./lookup-field.tsx";
import styles from "./row-list.module.css";

const kinds = {
  conference: { label: "Conference", list: "conferences" },
  organization: { label: "Organization", list: "organizations" },
  event: { label: "Event", list: "events" },
  person: { label: "Person", list: "people" },
} as const;

export type NamedKind = keyof typeof kinds;

type Props = { kind: NamedKind; id: string; onRemove: () => void; autoFocus?: boolean };

/** A filter by one row, with the name of the row; pressing it removes the filter. */
export function NamedFilter({ kind, id, onRemove, autoFocus = false }: Props) {
  const { label } = kinds[kind];
  const name = useName(kind, id);
  const text = name === undefined ? label : `${label}: ${name}`;
  return (
    <Button icon="close" onPress={onRemove} autoFocus={autoFocus} aria-label={`Remove the filter ${text}`}>
      <span className={styles.chip} title={text} dir="auto">
        {text}
      </span>
    </Button>
  );
}

type LookupProps = { kind: "conference" | "organization"; id: string | undefined; onChange: (id: string) => void };

/** A filter by a conference or an organization, which is found by its name. */
export function LookupFilter({ kind, id, onChange }: LookupProps) {
  // The field and the chosen row replace each other, and the focus goes on.
  const [isUsed, setUsed] = useState(false);
  const change = (next: string) => {
    setUsed(true);
    onChange(next);
  };
  if (id !== undefined) return <NamedFilter kind={kind} id={id} onRemove={() => change("")} autoFocus={isUsed} />;
  const { label, list } = kinds[kind];
  return (
    <LookupField
      label={label}
      hideLabel
      placeholder={`Any ${kind}`}
      list={list}
      value={null}
      onChange={(chosen) => chosen !== null && change(chosen)}
      autoFocus={isUsed}
    />
  );
}

function useName(kind: NamedKind, id: string): string | undefined {
  const { list } = kinds[kind];
  const isPerson = list === "people";
  const detail = useQuery({ ...detailQuery(isPerson ? "organizations" : list, id), enabled: !isPerson });
  const person = useQuery({
    queryKey: platformKey("people", "named", id),
    queryFn: async ({ signal }) => (await readRows("people", { id, limit: "1" }, signal)).items[0] ?? null,
    enabled: isPerson,
  });
  return isPerson ? person.data?.name : detail.data?.name;
}
