import { type ReactNode, useId } from "react";
import styles from "./page.module.css";

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Section({ title, description, actions, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.sectionHeader}>
        <div>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
