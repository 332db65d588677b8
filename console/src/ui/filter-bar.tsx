import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./filter-bar.module.css";

type Props = {
  /** In this order: the search, what can be chosen, dates, and last what stands for one row. */
  children: ReactNode;
  /** Undefined while nothing narrows the list down. */
  onClear: (() => void) | undefined;
  /** "52 events". */
  count?: string | undefined;
};

/** What narrows a list down, above it. */
export const FilterBar = ({ children, onClear, count }: Props) => (
  <search className={styles.bar} aria-label="Filters">
    {children}
    {onClear !== undefined && (
      <Button kind="quiet" onPress={onClear}>
        Clear filters
      </Button>
    )}
    {count !== undefined && (
      <span role="status" className="nowrap small muted">
        {count}
      </span>
    )}
  </search>
);
