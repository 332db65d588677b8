import { useState } from "react";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { messageOf } from "../../api/api-error.ts";
import { useOrganization } from "../../api/session.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { undoOfParts } from "../../change/job-request.ts";
import { useChange, useJob } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { differencesOf } from "../../format/differences.ts";
import { formatTime, localZone } from "../../format/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-queue.ts";
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
          {isUndone(record) && <Badge>Undone</Badge>}
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

/** Of a change in parts, all of them. */
const isUndone = ({ parts, reverted_by }: ActivityRecord) =>
  parts === null ? reverted_by !== null : parts.reverted === parts.count;

/** "Undid: Changed event details". */
function headlineOf({ tool, reverts }: ActivityRecord): string {
  return reverts === null ? toolWords(tool) : `Undid: ${toolWords(reverts.origin)}`;
}

function UndoButton({ record }: { record: ActivityRecord }) {
  const change = useChange();
  const startJob = useJob();
  const organization = useOrganization().id;
  const { id: recordId, parts } = record;
  const what = headlineOf(record);
  const title = `Undo “${what}”`;
  const reason = `Undid “${what}” of ${formatTime(record.at, localZone())}`;
  const undoParts = async (guests: number) => {
    const describe = <p>{countOf(guests, "guest gets", "guests get")} the state back that they had before.</p>;
    try {
      startJob(await undoOfParts({ organization, recordId, what, reason, describe }));
    } catch (error) {
      showToast(messageOf(error), { tone: "danger" });
    }
  };
  const undo = () =>
    change.open({
      tool: "revert_change",
      args: { record_id: recordId },
      title,
      reason,
      confirmLabel: "Undo change",
      done: "Change undone",
    });
  return (
    <Button
      kind="quiet"
      size="small"
      aria-label={title}
      onPress={() => void (parts === null ? undo() : undoParts(parts.changed))}
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
