import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./state.module.css";

type Props = {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all that the page shows, so that its title is the page's. */
  isPage?: boolean;
};

/** Says why nothing is here and what to do next. */
export function EmptyState({ icon = "sparkle", title, children, action, isPage = false }: Props) {
  const Title = isPage ? "h1" : "h2";
  return (
    <div className={styles.state}>
      <span className={styles.picture}>
        <Icon name={icon} size={20} />
      </span>
      <Title className="large">{title}</Title>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
