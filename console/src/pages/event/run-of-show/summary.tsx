import { countOf, formatCount } from "../../../format/counts.ts";
import { formatDuration } from "../../../format/times.ts";
import { classes } from "../../../ui/classes.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { Plan, Range } from "./layout.ts";
import styles from "./summary.module.css";

/** Counts of what to look at; each leads to the first one. */
export function Summary({ plan, onGo }: { plan: Plan; onGo: (id: string) => void }) {
  const { placed, gaps, overlaps, clashes, problems } = plan;
  const between = gaps.filter(({ kind }) => kind === "between");
  const outside = placed.filter(({ id }) => {
    const problem = problems.get(id);
    return problem !== undefined && problem.earlyMs + problem.lateMs > 0;
  });
  const [first] = placed;
  const end = Math.max(...placed.map((segment) => segment.end));
  const afterGap = placed.find(({ start }) => start === between[0]?.to)?.id;
  return (
    <ul className={styles.summary}>
      <li>{countOf(placed.length, "segment")}</li>
      {first !== undefined && <li>{formatDuration(end - first.start)} in all</li>}
      {clashes[0] !== undefined && (
        <Item icon="users" tone="danger" onPress={() => go(onGo, clashes[0]?.ids[0])}>
          {countOf(clashes.length, "speaker clash", "speaker clashes")}
        </Item>
      )}
      {overlaps[0] !== undefined && (
        <Item icon="copy" tone="warning" onPress={() => go(onGo, overlaps[0]?.ids[0])}>
          {countOf(overlaps.length, "overlap")}, {lengthOf(overlaps)}
        </Item>
      )}
      {outside[0] !== undefined && (
        <Item icon="clock" tone="warning" onPress={() => go(onGo, outside[0]?.id)}>
          {formatCount(outside.length)} outside the event
        </Item>
      )}
      {between.length > 0 && (
        <Item onPress={() => go(onGo, afterGap)}>
          {countOf(between.length, "gap")}, {lengthOf(between)}
        </Item>
      )}
      {overlaps.length + between.length + outside.length === 0 && (
        <li className={styles.fine}>
          <Icon name="check-circle" size={14} /> No gaps or overlaps
        </li>
      )}
    </ul>
  );
}

const go = (onGo: (id: string) => void, id: string | undefined) => id !== undefined && onGo(id);

const lengthOf = (ranges: Range[]): string => formatDuration(ranges.reduce((sum, { from, to }) => sum + to - from, 0));

type ItemProps = { icon?: IconName; tone?: "danger" | "warning"; onPress: () => void; children: React.ReactNode };

function Item({ icon, tone, onPress, children }: ItemProps) {
  return (
    <li>
      <button type="button" className={classes(styles.item, tone !== undefined && styles[tone])} onClick={onPress}>
        {icon !== undefined && <Icon name={icon} size={14} />}
        <span>{children}</span>
      </button>
    </li>
  );
}
