import type { ReactNode } from "react";
import styles from "./key-value.module.css";

export type KeyValueItem = { name: string; value: ReactNode };

/** Properties of one thing, as a list of names and values. Empty values are said, not left out. */
export function KeyValueList({ items }: { items: KeyValueItem[] }) {
  return (
    <dl>
      {items.map(({ name, value }) => (
        <div key={name} className={styles.row}>
          <dt className="muted">{name}</dt>
          <dd className={styles.value} dir="auto">
            {value === null || value === undefined || value === "" ? <span className="faint">Not set</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
