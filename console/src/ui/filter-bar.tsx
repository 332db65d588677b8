import type { ReactNode } from "react";
import type { Pages } from "../api/paging.ts";
import { countOf, formatCount } from "../format/counts.ts";
import { Button } from "./button.tsx";
import styles from "./filter-bar.module.css";

type Props = {
  /** In this order: the search, what can be chosen, dates, and last what stands for one row. */
  children: ReactNode;
  /** Undefined while nothing narrows the list down. */
  onClear: (() => void) | undefined;
  /** "52 events". */
  count?: string | undefined;
  /** States with their counts, in a line of their own. */
  states?: ReactNode;
};

/** "52 events"; "50+ events" while there are more than are shown. */
export function shownCount(
  list: Pick<Pages<unknown>, "items" | "isLoading" | "hasMore">,
  one: string,
  many = `${one}s`,
) {
  if (list.isLoading) return undefined;
  const shown = list.items.length;
  return list.hasMore ? `${formatCount(shown)}+ ${many}` : countOf(shown, one, many);
}

/** What narrows a list down, above it. */
export const FilterBar = ({ children, onClear, count, states }: Props) => (
  <search className={styles.bar} aria-label="Filters">
    {children}
    <div className={styles.end}>
      {count !== undefined && (
        <span role="status" className="nowrap small muted">
          {count}
        </span>
      )}
      {onClear !== undefined && (
        <Button kind="quiet" onPress={onClear}>
          Clear filters
        </Button>
      )}
    </div>
    {states !== undefined && <div className={styles.states}>{states}</div>}
  </search>
);
