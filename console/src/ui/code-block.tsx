import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

type Props = {
  code: string;
  /** What it is: "Request in curl". */
  label: string;
  /** What is copied. */
  what?: string;
  /** Long code scrolls in a box of limited height. */
  short?: boolean;
  /** The code with colours. */
  children?: ReactNode;
};

export function CodeBlock({ code, label, what = "code", short = false, children = code }: Props) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <CopyButton text={code} what={what} compact />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes(styles.code, short && styles.short)} tabIndex={0}>
        <pre>
          <code>{children}</code>
        </pre>
      </section>
    </figure>
  );
}
