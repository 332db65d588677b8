import { useState } from "react";
import { Button as PlainButton } from "react-aria-components";
import { countOf, formatCount } from "../../../format/counts.ts";
import { formatClock } from "../../../format/times.ts";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { DoorFrame } from "./door-frame.ts";
import styles from "./door-header.module.css";
import type { DoorState } from "./door-store.ts";
import type { Conflict } from "./door-types.ts";
import { isMuted, setMuted } from "./feedback.ts";
import { describeArrival } from "./verdict.ts";

type Props = { state: DoorState; frame: DoorFrame; onDismiss: (key: string) => void };

export function DoorHeader({ state, frame, onDismiss }: Props) {
  const [muted, setMutedNow] = useState(isMuted);
  const toggle = () => {
    setMuted(!muted);
    setMutedNow(!muted);
  };
  return (
    <header className={styles.header}>
      <div className="flex centered gap-1">
        {frame.leading}
        <h1 className="fills ellipsis large" dir="auto">
          {state.event?.name ?? "Check-in"}
        </h1>
        <IconButton
          icon={muted ? "sound-off" : "sound"}
          label={muted ? "Turn sound and vibration on" : "Turn sound and vibration off"}
          onPress={toggle}
        />
        {frame.trailing}
      </div>
      {frame.note !== undefined && <p className={styles.note}>{frame.note}</p>}
      <div className={styles.counts}>
        <p className={styles.count}>
          {state.event !== undefined && (
            <>
              <strong>{formatCount(state.checkedIn)}</strong> of {formatCount(state.expected)} in
            </>
          )}
        </p>
        <ConnectionLabel state={state} ended={frame.ended} />
      </div>
      <progress
        className={styles.bar}
        value={state.checkedIn}
        max={Math.max(1, state.expected)}
        aria-label="Guests in"
      />
      {!state.isLasting && (
        <p className={styles.notice}>This browser keeps nothing: check-ins that wait are lost if the page is closed.</p>
      )}
      {state.conflicts.length > 0 && (
        <Conflicts conflicts={state.conflicts} zone={state.event?.timezone ?? "UTC"} onDismiss={onDismiss} />
      )}
    </header>
  );
}

function ConnectionLabel({ state, ended }: { state: DoorState; ended: DoorFrame["ended"] }) {
  const { connection, waiting, isComplete, known, failure } = state;
  if (connection === "signed_out") return ended(waiting);
  const [icon, words, look]: [IconName, string, string | undefined] =
    connection === "offline"
      ? ["offline", waiting === 0 ? "Offline" : `Offline · ${formatCount(waiting)} waiting`, styles.offline]
      : waiting > 0
        ? ["refresh", `Sending ${formatCount(waiting)}`, styles.sending]
        : failure !== undefined && !isComplete
          ? ["alert", "Not loaded", styles.offline]
          : isComplete
            ? ["check-circle", "Up to date", styles.live]
            : ["refresh", `Loading, ${formatCount(known)} so far`, styles.sending];
  return (
    <span role="status" className={classes(styles.connection, look)}>
      <Icon name={icon} />
      {words}
    </span>
  );
}

type ConflictsProps = { conflicts: Conflict[]; zone: string; onDismiss: (key: string) => void };

/** What turned out otherwise when it was sent: somebody may be inside twice. */
function Conflicts({ conflicts, zone, onDismiss }: ConflictsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PlainButton className={styles.conflicts ?? ""} onPress={() => setOpen(true)}>
        <Icon name="alert" size={20} />
        <span>{countOf(conflicts.length, "check-in needs", "check-ins need")} a look</span>
        <Icon name="chevron-right" />
      </PlainButton>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Check-ins that need a look"
        description="They were made on this device without a connection, and turned out otherwise when they were sent."
      >
        <ul className="column">
          {conflicts.map((conflict) => (
            <li key={conflict.key} className={styles.problem}>
              <div>
                <strong dir="auto">{conflict.name}</strong>
                <p className="muted small">
                  {conflict.kind === "duplicate"
                    ? `${describeArrival({ at: conflict.arrivedAt, by: conflict.by }, zone, "Already checked in")}. Here at ${formatClock(conflict.at, zone)}.`
                    : conflict.message}
                </p>
              </div>
              <Button size="small" onPress={() => onDismiss(conflict.key)}>
                Done
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
