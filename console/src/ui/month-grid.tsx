import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import {
  dayInMonth,
  dayMovedBy,
  dayOf,
  daysOfMonth,
  type Month,
  movedBy,
  titleOf,
  weekdayOf,
  weekdays,
} from "../format/calendar.ts";
import { localZone } from "../format/times.ts";
import { typedDate } from "../format/typed-date.ts";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import styles from "./month-grid.module.css";

type Props = { value: string | undefined; onChoose: (day: string) => void };

/** The days of a month to choose from, by pointer or keyboard, as the date picker of the ARIA practices works. */
export function MonthGrid({ value, onChoose }: Props) {
  const today = dayOf(Date.now(), localZone());
  const [active, setActive] = useState(value ?? today);
  const [followsKeys, setFollowsKeys] = useState(true);
  const table = useRef<HTMLTableElement>(null);
  const titleId = useId();
  const month = active.slice(0, 7);
  useEffect(() => {
    if (followsKeys) table.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active, followsKeys]);
  const go = (months: number) => {
    setFollowsKeys(false);
    setActive(dayInMonth(active, movedBy(month, months)));
  };
  const onKey = (event: KeyboardEvent) => {
    const next = dayAfterKey(event, active, month);
    if (next === undefined) return;
    event.preventDefault();
    setFollowsKeys(true);
    setActive(next);
  };
  return (
    <div className={styles.calendar}>
      <header className="flex centered between">
        <IconButton icon="chevron-left" size="small" label="Previous month" onPress={() => go(-1)} />
        <h2 id={titleId} className={styles.title} aria-live="polite">
          {titleOf(month)}
        </h2>
        <IconButton icon="chevron-right" size="small" label="Next month" onPress={() => go(1)} />
      </header>
      <table ref={table} className={styles.month} aria-labelledby={titleId} onKeyDown={onKey}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== undefined)}>
              {week.map((day, index) => (
                <td key={weekdays[index]}>
                  {day !== undefined && (
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === active ? 0 : -1}
                      aria-label={typedDate.show(day)}
                      aria-pressed={day === value}
                      aria-current={day === today ? "date" : undefined}
                      className={classes(styles.day, day === value && styles.chosen)}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function weeksOf(month: Month): (string | undefined)[][] {
  const { before, days } = daysOfMonth(month);
  const cells = [...Array.from({ length: before }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => cells[week * 7 + day]),
  );
}

function dayAfterKey({ key, shiftKey }: KeyboardEvent, day: string, month: Month): string | undefined {
  const pages = shiftKey ? 12 : 1;
  switch (key) {
    case "ArrowLeft":
      return dayMovedBy(day, -1);
    case "ArrowRight":
      return dayMovedBy(day, 1);
    case "ArrowUp":
      return dayMovedBy(day, -7);
    case "ArrowDown":
      return dayMovedBy(day, 7);
    case "Home":
      return dayMovedBy(day, -weekdayOf(day));
    case "End":
      return dayMovedBy(day, 6 - weekdayOf(day));
    case "PageUp":
      return dayInMonth(day, movedBy(month, -pages));
    case "PageDown":
      return dayInMonth(day, movedBy(month, pages));
    default:
      return undefined;
  }
}
