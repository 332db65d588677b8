import { Button as PlainButton } from "react-aria-components";
import { formatClock } from "../../../format/times.ts";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Icon } from "../../../ui/icon.tsx";
import { statusWord } from "../guests/guest-status.tsx";
import type { Arrival } from "./door-api.ts";
import type { DoorGuest } from "./door-types.ts";
import styles from "./guest-rows.module.css";
import { otherDay } from "./verdict.ts";

type Props = {
  title: string;
  guests: DoorGuest[];
  isSearch: boolean;
  /** What the search looks at: "name". */
  searched: string;
  whenNobodyIsLeft: string;
  zone: string;
  arrivalOf: (guest: DoorGuest) => Arrival | undefined;
  onPress: (guest: DoorGuest) => void;
  /** Undefined without a connection. */
  onReload: (() => void) | undefined;
};

/** Each row is one large target: a tap checks the guest in, or says why not. */
export function GuestRows({ title, guests, isSearch, searched, whenNobodyIsLeft, zone, ...options }: Props) {
  const { arrivalOf, onPress, onReload } = options;
  if (guests.length === 0) {
    return (
      <div className={styles.none} role="status">
        <p>{isSearch ? `Nobody on this device matches. Try part of the ${searched}.` : whenNobodyIsLeft}</p>
        {isSearch && onReload !== undefined && (
          <Button icon="refresh" onPress={onReload}>
            Read the list again
          </Button>
        )}
      </div>
    );
  }
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        {guests.map((guest) => (
          <li key={guest.id}>
            <PlainButton className={styles.row ?? ""} onPress={() => onPress(guest)}>
              <span className="column shrinks">
                <span className={styles.name} dir="auto">
                  {guest.name}
                </span>
                <span className="ellipsis muted small">
                  {guest.ticket_type !== null && <bdi>{guest.ticket_type}</bdi>}
                  {guest.ticket_type !== null && guest.email !== undefined && " · "}
                  {guest.email}
                </span>
              </span>
              <State guest={guest} arrival={arrivalOf(guest)} zone={zone} />
            </PlainButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function State({ guest, arrival, zone }: { guest: DoorGuest; arrival: Arrival | undefined; zone: string }) {
  if (guest.status !== "approved")
    return <span className={classes(styles.state, "danger")}>{statusWord(guest.status)}</span>;
  if (arrival === undefined) return <span className={classes(styles.state, styles.open)}>Check in</span>;
  return (
    <span className={classes(styles.state, "success")}>
      <Icon name="check-circle" />
      {arrival.at === null ? "In" : `In, ${otherDay(arrival.at, zone) ?? formatClock(arrival.at, zone)}`}
    </span>
  );
}
