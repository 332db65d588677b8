import { Time } from "../../ui/time.tsx";
import styles from "./guest-history.module.css";

export type HistoryEntry = {
  at: string;
  tool: string;
  from: string | null;
  to: string | null;
  reason: string | null;
  user: { name: string; email: string } | null;
  key: string | null;
  organization: string | null;
};

/** Who changed the registration and why. Of another organization only its name is known. */
export function GuestHistory({ entries, zone }: { entries: HistoryEntry[]; zone: string }) {
  if (entries.length === 0) return <p className={styles.none}>Nothing has changed since the registration.</p>;
  return (
    <ol className={styles.list}>
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.tool}`} className={styles.entry}>
          <span className={styles.what}>{describe(entry)}</span>
          {entry.reason !== null && (
            <span className={styles.reason} dir="auto">
              “{entry.reason}”
            </span>
          )}
          <span className={styles.who}>
            {actorOf(entry)} · <Time at={entry.at} zone={zone} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function describe({ from, to }: HistoryEntry): string {
  if (from === null) return `Added, ${to ?? "state unknown"}`;
  return from === to ? `Stayed ${to}` : `From ${from} to ${to ?? "unknown"}`;
}

function actorOf({ user, key, organization }: HistoryEntry): string {
  if (key !== null) return user === null ? `Key “${key}”` : `${user.name} with the key “${key}”`;
  return user?.name ?? organization ?? "The platform";
}
