import type { ReactNode } from "react";
import type { Tone } from "./badge.tsx";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./inline-notice.module.css";

type Props = {
  tone?: Exclude<Tone, "neutral">;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  live?: boolean;
};

const icons: Record<NonNullable<Props["tone"]>, IconName> = {
  accent: "info",
  success: "check-circle",
  warning: "alert",
  danger: "alert",
};

/** A remark within a page or a form. `live` announces it when it appears. */
export function InlineNotice({ tone = "accent", title, children, action, live = false }: Props) {
  return (
    <div className={classes(styles.notice, styles[tone])} {...(live ? { role: "alert" } : {})}>
      <Icon name={icons[tone]} className={styles.icon ?? ""} />
      <div className={styles.text}>
        {title !== undefined && <strong className={styles.title}>{title}</strong>}
        {children}
      </div>
      {action}
    </div>
  );
}

/** Why something failed, if it did. */
export const ProblemNotice = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <InlineNotice tone="danger" live>
      {text}
    </InlineNotice>
  );

export const Warnings = ({ texts }: { texts: string[] }) =>
  texts.map((text) => (
    <InlineNotice key={text} tone="warning">
      {text}
    </InlineNotice>
  ));
