import { useState } from "react";
import { initialsOf } from "../../ui/avatar.tsx";
import { classes } from "../../ui/classes.ts";
import styles from "./hosts.module.css";

/** Logos are wide as often as square, and made for a light background. */
export function HostLogo({ name, logo }: { name: string; logo: string | null }) {
  const [broken, setBroken] = useState<string>();
  if (logo === null || logo === broken) {
    return (
      <span className={classes(styles.logo, styles.initials)} aria-hidden="true">
        {initialsOf(name)}
      </span>
    );
  }
  return (
    <img className={styles.logo} src={logo} alt="" loading="lazy" decoding="async" onError={() => setBroken(logo)} />
  );
}
