import { useState } from "react";
import { sentenceOf } from "../../../../contract/change-sentence.ts";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { messageOf } from "../../api/api-error.ts";
import { useOrganization } from "../../api/session.ts";
import { DifferenceList } from "../../change/difference-list.tsx";
import { undoOfParts } from "../../change/job-request.ts";
import { useChange, useJob } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { differencesOf } from "../../format/differences.ts";
import { localZone } from "../../format/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import { ChangeWords } from "./change-words.tsx";
import { actorOf, wayOf } from "./record-data.ts";
import styles from "./record-row.module.css";
import { undoOfRecord } from "./undo-of-record.ts";

type Props = {
  record: ActivityRecord;
  slug: string;
  /** On the page of one event, its name says nothing. */
  hidesEvent: boolean;
};

export function RecordRow({ record, slug, hidesEvent }: Props) {
  const actor = actorOf(record);
  return (
    <li className={styles.row}>
      <Avatar name={actor} size={32} square={!record.own || record.user === null} />
      <div className="shrinks">
        <p className={styles.headline}>
          <strong className="semibold" dir="auto">
            {actor}
          </strong>{" "}
          <ChangeWords sentence={sentenceOf(record)} event={record.event} slug={slug} hidesEvent={hidesEvent} />
        </p>
        <p className="breaks muted small">
          <Time at={record.at} zone={localZone()} show="clock" /> · {wayOf(record)}
        </p>
        <Undone record={record} />
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

/** Of a change in parts, all of them may be undone, or some. */
function Undone({ record: { undone, parts } }: { record: ActivityRecord }) {
  const reverted = parts?.reverted ?? (undone === null ? 0 : 1);
  if (reverted === 0) return null;
  const isWhole = parts === null || reverted === parts.count;
  return (
    <p className="flex wrap centered gap-2 muted small">
      <Badge>{isWhole ? "Undone" : "Partly undone"}</Badge>
      {undone !== null && (
        <span>
          by <bdi>{undone.by ?? "someone who was removed"}</bdi>,{" "}
          <Time at={undone.at} zone={localZone()} show="short" />
        </span>
      )}
    </p>
  );
}

function UndoButton({ record }: { record: ActivityRecord }) {
  const change = useChange();
  const startJob = useJob();
  const organization = useOrganization().id;
  const { id: recordId, parts } = record;
  const { verb, done, ...words } = undoOfRecord(record);
  const undoParts = async (guests: number) => {
    const describe = <p>{countOf(guests, "guest gets", "guests get")} the state back that they had before.</p>;
    try {
      startJob(await undoOfParts({ organization, recordId, describe, ...words }));
    } catch (error) {
      showToast(messageOf(error), { tone: "danger" });
    }
  };
  const undo = () => change.open({ tool: "revert_change", args: { record_id: recordId }, done, ...words });
  return (
    <Button
      kind="quiet"
      size="small"
      aria-label={words.title}
      onPress={() => (parts === null ? undo() : undoParts(parts.changed))}
    >
      {verb}
    </Button>
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

/** Folded: the sentence says what most people want to know. */
function Differences({ record: { changes, changes_in_all } }: { record: ActivityRecord }) {
  const [isOpen, setOpen] = useState(false);
  if (changes.length === 0) return null;
  const beyond = changes_in_all - changes.length;
  return (
    <div className={styles.differences}>
      <Button
        kind="quiet"
        size="small"
        icon={isOpen ? "chevron-down" : "chevron-right"}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide" : "Show"} {countOf(changes_in_all, "difference")}
      </Button>
      {isOpen && <DifferenceList differences={differencesOf(changes, {}, {}, localZone())} />}
      {isOpen && beyond > 0 && <p className="muted small">and {countOf(beyond, "more difference")}</p>}
    </div>
  );
}
