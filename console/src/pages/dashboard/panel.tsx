import { type ReactNode, useId } from "react";
import { formatCount } from "../../format/counts.ts";
import styles from "./panel.module.css";

type Props = { title: string; count?: number | undefined; actions?: ReactNode; children: ReactNode };

/** A part of the dashboard: denser than a section of a page. */
export function Panel({ title, count, actions, children }: Props) {
  const id = useId();
  return (
    <section className="shrinks" aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
          {count !== undefined && count > 0 && <span className="muted small medium plain">{formatCount(count)}</span>}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
