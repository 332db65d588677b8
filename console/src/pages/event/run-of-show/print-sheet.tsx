import { createPortal } from "react-dom";
import { formatDay, formatDuration, formatRange } from "../../../format/times.ts";
import type { CurrentEvent } from "../event-page.ts";
import type { Plan } from "./layout.ts";
import styles from "./print-sheet.module.css";
import { clockRange, kindNames, type Names, nameOf } from "./words.ts";

type Props = { event: CurrentEvent; plan: Plan; names: Names; withNotes: boolean };

/** What the printer gets instead of the page: one table, black on white. It is outside of the page's root, which is hidden. */
export function PrintSheet({ event, plan, names, withNotes }: Props) {
  const zone = event.timezone;
  return createPortal(
    <div className={styles.sheet} data-print-sheet>
      <h1 dir="auto">{event.name}</h1>
      <p>
        Run of show · {formatRange(event.start_time, event.end_time, zone)}
        {event.venue !== null && <bdi> · {event.venue}</bdi>}
      </p>
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>Length</th>
            <th>Segment</th>
            <th>Location</th>
            <th>Speakers</th>
            {withNotes && <th>Notes</th>}
          </tr>
        </thead>
        <tbody>
          {plan.placed.map((segment, index) => {
            const previous = plan.placed[index - 1];
            const isNewDay =
              previous !== undefined && formatDay(previous.start, zone) !== formatDay(segment.start, zone);
            return (
              <tr key={segment.id}>
                <td>
                  {isNewDay && <strong>{formatDay(segment.start, zone)}</strong>}
                  {clockRange(segment, zone)}
                </td>
                <td>{formatDuration(segment.end - segment.start)}</td>
                <td dir="auto">
                  <strong>{segment.title}</strong>
                  {kindNames[segment.kind]}
                </td>
                <td dir="auto">{segment.location}</td>
                <td dir="auto">{segment.speaker_ids.map((id) => nameOf(names, id)).join(", ")}</td>
                {withNotes && (
                  <td className={styles.notes} dir="auto">
                    {segment.notes}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}
