import { useState } from "react";
import { DifferenceList } from "../../change/difference-list.tsx";
import { countOf } from "../../format/counts.ts";
import { differencesOf } from "../../format/differences.ts";
import { localZone } from "../../format/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";
import { type ActivityRecord, actorOf, wayOf } from "./record-data.ts";
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
      <div className={styles.body}>
        <p className={styles.headline}>
          <strong className={styles.what}>{toolWords(record.tool)}</strong>
          {!hidesEvent && record.event !== null && <EventName event={record.event} slug={slug} />}
        </p>
        <p className={styles.who}>
          <span dir="auto">{actor}</span> {wayOf(record)} · <Time at={record.at} zone={localZone()} show="clock" />
        </p>
        {record.reason !== null && (
          <p className={styles.reason} dir="auto">
            {record.reason}
          </p>
        )}
        <Differences record={record} />
      </div>
    </li>
  );
}

function EventName({ event, slug }: { event: NonNullable<ActivityRecord["event"]>; slug: string }) {
  if (event.name === null) return <span className={styles.event}>in an event that was removed</span>;
  return (
    <Link
      to="/o/$organization/events/$event"
      params={{ organization: slug, event: event.id }}
      quiet
      className={styles.event}
      dir="auto"
    >
      {event.name}
    </Link>
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
        <p className={styles.beyond}>{countOf(beyond, "further difference")} in the export.</p>
      )}
    </div>
  );
}
