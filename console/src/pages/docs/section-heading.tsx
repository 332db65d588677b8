import type { ReactNode } from "react";
import styles from "./reference.module.css";

/** A heading that can be linked to. */
export function SectionHeading({ id, children, mono = false }: { id: string; children: ReactNode; mono?: boolean }) {
  return (
    <h2 id={id} tabIndex={-1} className={styles.heading}>
      {mono ? <code>{children}</code> : children}
      <a className="anchor" href={`#${id}`} aria-label={`Link to ${id}`}>
        #
      </a>
    </h2>
  );
}
