import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./state.module.css";

type Props = { icon?: IconName; title: string; children?: ReactNode; action?: ReactNode };

/** Says why nothing is here and what to do next. */
export function EmptyState({ icon = "sparkle", title, children, action }: Props) {
  return (
    <div className={styles.state}>
      <span className={styles.picture}>
        <Icon name={icon} size={20} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
