import { useState } from "react";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { useChange } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { differencesOf } from "../../format/differences.ts";
import { formatTime, localZone } from "../../format/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";
import { actorOf, wayOf } from "./record-data.ts";
import styles from "./record-row.module.css";
import { toolWords } from "./tool-words.ts";

const shownAtFirst = 3;

type Props = {
  record: ActivityRecord;
  slug: string /** On the page of one event, its name says nothing. */;
  hidesEvent: boolean;
};

export function RecordRow({ record, slug, hidesEvent }: Props) {
  const actor = actorOf(record);
  return (
    <li className={styles.row}>
      <Avatar name={actor} size={32} square={!record.own || record.user === null} />
      <div className="shrinks">
        <p className={styles.headline}>
          <strong className="semibold">{headlineOf(record)}</strong>
          {record.reverted_by !== null && <Badge>Undone</Badge>}
          {!hidesEvent && record.event !== null && <EventName event={record.event} slug={slug} />}
        </p>
        <p className="breaks muted small">
          <span dir="auto">{actor}</span> {wayOf(record)} · <Time at={record.at} zone={localZone()} show="clock" />
        </p>
        {record.reason !== null && (
          <p className={styles.reason} dir="auto">
            {record.reason}
          </p>
        )}
        <Differences record={record} />
        <Warnings record={record} />
      </div>
      {record.revertible && (
        <div className={styles.undo}>
          <UndoButton record={record} />
        </div>
      )}
    </li>
  );
}

/** "Undid: Changed event details". */
function headlineOf({ tool, reverts }: ActivityRecord): string {
  return reverts === null ? toolWords(tool) : `Undid: ${toolWords(reverts.origin)}`;
}

function UndoButton({ record }: { record: ActivityRecord }) {
  const change = useChange();
  const what = headlineOf(record);
  return (
    <Button
      kind="quiet"
      size="small"
      aria-label={`Undo “${what}”`}
      onPress={() =>
        void change.open({
          tool: "revert_change",
          args: { record_id: record.id },
          title: `Undo “${what}”`,
          reason: `Undid “${what}” of ${formatTime(record.at, localZone())}`,
          confirmLabel: "Undo change",
          done: "Change undone",
        })
      }
    >
      Undo
    </Button>
  );
}

function EventName({ event, slug }: { event: NonNullable<ActivityRecord["event"]>; slug: string }) {
  if (event.name === null) return <span className="breaks muted">in an event that was removed</span>;
  return (
    <Link
      to="/o/$organization/events/$event"
      params={{ organization: slug, event: event.id }}
      quiet
      className="breaks muted"
      dir="auto"
    >
      {event.name}
    </Link>
  );
}

/** What the change was warned of. */
function Warnings({ record: { warnings } }: { record: ActivityRecord }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={styles.warnings} aria-label="Warnings">
      {warnings.map(({ code, message }) => (
        <li key={`${code} ${message}`} className="flex gap-2 breaks muted small" dir="auto">
          <Icon name="alert" size={14} className={styles.warningIcon ?? ""} />
          {message}
        </li>
      ))}
    </ul>
  );
}

function Differences({ record: { changes, changes_in_all } }: { record: ActivityRecord }) {
  const [showsAll, setShowsAll] = useState(false);
  if (changes.length === 0) return null;
  const shown = showsAll ? changes : changes.slice(0, shownAtFirst);
  const beyond = changes_in_all - changes.length;
  return (
    <div className={styles.differences}>
      <DifferenceList differences={differencesOf(shown, {}, {}, localZone())} />
      {shown.length < changes.length && (
        <Button kind="quiet" size="small" onPress={() => setShowsAll(true)}>
          Show {countOf(changes.length - shown.length, "more difference")}
        </Button>
      )}
      {beyond > 0 && shown.length === changes.length && (
        <p className="muted small">{countOf(beyond, "further difference")} in the export.</p>
      )}
    </div>
  );
}
