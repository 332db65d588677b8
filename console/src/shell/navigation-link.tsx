import { Link } from "@tanstack/react-router";
import { classes } from "../ui/classes.ts";
import { Icon } from "../ui/icon.tsx";
import type { NavigationItem } from "./navigation.ts";
import styles from "./navigation-link.module.css";

type Props = { item: NavigationItem /** Phones show it in the menu of further pages. */; isFurther?: boolean };

export function NavigationLink({ item: { label, href, icon, exact = false }, isFurther = false }: Props) {
  return (
    <li className={classes(styles.item, isFurther && styles.further)}>
      <Link to={href} activeOptions={{ exact }} className={styles.link}>
        <Icon name={icon} />
        <span>{label}</span>
      </Link>
    </li>
  );
}
