import { formatClock } from "../../../format/times.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { QueueEntry } from "./door-types.ts";
import styles from "./recent-rows.module.css";

const shown = 3;

/** The last check-ins on this device: a mistake is noticed right after it is made. */
export function RecentRows({
  entries,
  zone,
  onUndo,
}: {
  entries: QueueEntry[];
  zone: string;
  onUndo: (guest: string) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <section aria-label="Just checked in" className={styles.recent}>
      <ul>
        {entries.slice(0, shown).map(({ key, guest, at }) => (
          <li key={key} className={styles.row}>
            <Icon name="check-circle" size={20} className="success" />
            <span className="fills ellipsis semibold" dir="auto">
              {guest.name}
            </span>
            <span className="muted">{formatClock(at, zone)}</span>
            <Button
              size="small"
              icon="undo"
              onPress={() => onUndo(guest.id)}
              aria-label={`Undo the check-in of ${guest.name}`}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
