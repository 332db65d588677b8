import type { ReactNode } from "react";
import styles from "./badge.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

const toneIcons: Record<Tone, IconName> = {
  neutral: "circle",
  accent: "info",
  success: "check-circle",
  warning: "alert",
  danger: "x-circle",
};

/** A state: a shape and a word, so that it can be told without colours. */
export function Status({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes(styles.status, styles[tone])}>
      <Icon name={icon ?? toneIcons[tone]} size={14} />
      {children}
    </span>
  );
}

/** A short word set apart from its line, such as a role or a count. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}
