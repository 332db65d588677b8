import type { FieldChange, Json } from "../api/tools.ts";
import { countOf } from "../format/counts.ts";
import { differencesOf } from "../format/differences.ts";
import { DifferenceList } from "./difference-list.tsx";

type Props = { title?: string; changes: FieldChange[]; from: Json; to: Json; zone: string };

/** More lines than a person reads; the record has all of them. */
const maximumLines = 50;

export function DifferencesOf({ title, changes, from, to, zone }: Props) {
  const shown = changes.slice(0, maximumLines);
  return (
    <section className="column gap-2">
      {title !== undefined && <h3 className="small plain">{title}</h3>}
      <DifferenceList differences={differencesOf(shown, from, to, zone)} />
      {changes.length > shown.length && (
        <p className="muted small">and {countOf(changes.length - shown.length, "more difference")}</p>
      )}
    </section>
  );
}
