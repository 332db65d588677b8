import type { Groups, Statistics } from "../../../../../contract/schema/statistics.ts";
import { countOf, formatCount } from "../../../format/counts.ts";
import { formatDay } from "../../../format/times.ts";
import { Table } from "../../../ui/table.tsx";
import styles from "./charts.module.css";
import { type Bar, barsOf, lengthOf } from "./day-bars.ts";

const height = 120;
const barWidth = 10;

/** Days are dates without a time: noon keeps them from moving to another day. */
const dayName = (date: string) => formatDay(`${date}T12:00:00Z`, "UTC");

const spanOf = ({ from, to }: Bar) => (from === to ? dayName(from) : `${dayName(from)} – ${dayName(to)}`);

/** Registrations over time, with the table behind the picture. */
export function DayChart({ registrations }: { registrations: Statistics["registrations"] }) {
  const { days, earlier, total } = registrations;
  const bars = barsOf(days);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return <p className="muted">Nobody has registered yet.</p>;
  const highest = `${formatCount(most)} ${lengthOf(first) === 1 ? "a day" : `in ${lengthOf(first)} days`}`;
  return (
    <div className="column gap-3">
      <figure className={styles.figure}>
        <p className="muted small">At most {highest}</p>
        <svg
          className={styles.days}
          viewBox={`0 0 ${bars.length * barWidth} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${countOf(total - earlier, "registration")} from ${dayName(first.from)} to ${dayName(last.to)}, at most ${highest}`}
        >
          {bars.map((bar, n) => {
            const length = (bar.count / most) * height;
            return (
              <rect key={bar.from} x={n * barWidth + 1} y={height - length} width={barWidth - 2} height={length}>
                <title>{`${spanOf(bar)}: ${formatCount(bar.count)}`}</title>
              </rect>
            );
          })}
        </svg>
        <figcaption className={styles.axis}>
          <span>{dayName(first.from)}</span>
          <span>{dayName(last.to)}</span>
        </figcaption>
      </figure>
      {earlier > 0 && <p className="muted small">And {countOf(earlier, "registration")} on earlier days.</p>}
      <details>
        <summary>Registrations by day as a table</summary>
        <Table
          caption="Registrations by day"
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            { title: "Day", cell: ({ day }) => dayName(day) },
            { title: "Registrations", align: "end", cell: ({ count }) => formatCount(count) },
          ]}
        />
      </details>
    </div>
  );
}

type GroupProps = {
  groups: Groups;
  noun: string;
  counted: string;
  without: string;
  nameOf?: (value: string) => string;
};

/** The largest groups, a bar beside each number: the table is the chart. */
export function GroupChart({ groups, noun, counted, without, nameOf = (value) => value }: GroupProps) {
  const rows = rowsOf(groups, (value) => (value === null ? without : nameOf(value)));
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.length === 0) return <p className="muted">None yet.</p>;
  return (
    <Table
      caption={`${counted} by ${noun.toLowerCase()}`}
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        { title: noun, cell: ({ label }) => <bdi className="breaks">{label}</bdi> },
        {
          title: "Share",
          hideTitle: true,
          cell: ({ count }) => (
            <svg className={styles.share} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(count / all) * 100} height="8" />
            </svg>
          ),
        },
        { title: counted, align: "end", cell: ({ count }) => formatCount(count) },
      ]}
    />
  );
}

/** Groups of the same name are one, such as "twitter" and "X"; the rest is at the end. */
function rowsOf({ items, other }: Groups, labelOf: (value: string | null) => string) {
  const counts = new Map<string, number>();
  for (const { value, count } of items) {
    const label = labelOf(value);
    counts.set(label, (counts.get(label) ?? 0) + count);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const rest: [string, number][] = other > 0 ? [[counts.has("Others") ? "All others" : "Others", other]] : [];
  return [...sorted, ...rest].map(([label, count]) => ({ label, count }));
}
