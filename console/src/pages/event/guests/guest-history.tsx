import type { HistoryEntry } from "../../../../../contract/schema/registrations.ts";
import { Time } from "../../../ui/time.tsx";
import styles from "./guest-history.module.css";
import { actorOf, describeEntry } from "./history-words.ts";

/** Who changed the registration and why. Of another organization only its name is known. */
export function GuestHistory({ entries, zone }: { entries: HistoryEntry[]; zone: string }) {
  if (entries.length === 0) return <p className="muted small">Nothing has changed since the registration.</p>;
  return (
    <ol className="column">
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.tool}`} className={styles.entry}>
          <span className="medium">{describeEntry(entry)}</span>
          {entry.reason !== null && (
            <span className="muted small" dir="auto">
              “{entry.reason}”
            </span>
          )}
          <span className="muted small">
            {actorOf(entry)} · <Time at={entry.at} zone={zone} />
          </span>
        </li>
      ))}
    </ol>
  );
}
