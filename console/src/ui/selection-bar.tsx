import type { ReactNode } from "react";
import { formatCount } from "../format/counts.ts";
import { IconButton } from "./icon-button.tsx";
import styles from "./selection-bar.module.css";

type Props = {
  label: string;
  count: number;
  /** Beside the count. */
  more?: ReactNode;
  /** Instead of actions, when there is none. */
  nothing: string | undefined;
  onClear: () => void;
  children: ReactNode;
};

/** What can be done with the selected rows of a list. */
export function SelectionBar({ label, count, more, nothing, onClear, children }: Props) {
  return (
    <section className={styles.bar} aria-label={label}>
      <div className="flex wrap centered gap-2">
        <strong role="status">{formatCount(count)} selected</strong>
        {more}
        <IconButton icon="close" label="Clear the selection" size="small" onPress={onClear} />
      </div>
      <div className={styles.actions}>
        {nothing === undefined ? children : <span className={styles.nothing}>{nothing}</span>}
      </div>
    </section>
  );
}
