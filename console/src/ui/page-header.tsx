import type { ReactNode } from "react";
import styles from "./page.module.css";

type Props = {
  title: ReactNode;
  /** Above the title: a way back or the place in the hierarchy. */
  eyebrow?: ReactNode;
  description?: ReactNode;
  /** The page's buttons; at most one is primary. */
  actions?: ReactNode;
};

export function PageHeader({ title, eyebrow, description, actions }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.headings}>
        {eyebrow !== undefined && <div className={styles.eyebrow}>{eyebrow}</div>}
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
