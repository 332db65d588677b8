import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import styles from "./link.module.css";

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { quiet?: boolean; ref?: Ref<HTMLAnchorElement> };

function Anchor({ quiet = false, className, ...rest }: Props) {
  return <a {...rest} className={classes(styles.link, quiet && styles.quiet, className)} />;
}

/** A link within the console. `quiet` takes the colour of its surroundings and is underlined on hover. */
export const Link: LinkComponent<typeof Anchor> = createLink(Anchor);

export function ExternalLink({ children, ...rest }: Props & { href: string; children: ReactNode }) {
  return (
    <Anchor {...rest} target="_blank" rel="noreferrer">
      {children}
      <Icon name="arrow-up-right" size={14} className={styles.external ?? ""} />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </Anchor>
  );
}
