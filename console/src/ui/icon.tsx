import { classes } from "./classes.ts";
import styles from "./icon.module.css";
import { type IconName, iconPaths } from "./icon-paths.ts";

export type { IconName };

/** Decorative: what it stands beside says the same in words. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: 14 | 16 | 20 | 24; className?: string }) {
  return (
    <svg
      className={classes(styles.icon, className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {iconPaths[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
