import { Link } from "@tanstack/react-router";
import { Icon } from "../ui/icon.tsx";
import type { NavigationItem } from "./navigation.ts";
import styles from "./navigation-link.module.css";

export function NavigationLink({ item: { label, href, icon, exact = false } }: { item: NavigationItem }) {
  return (
    <li className={styles.item}>
      <Link to={href} activeOptions={{ exact }} className={styles.link}>
        <Icon name={icon} />
        <span className={styles.label}>{label}</span>
      </Link>
    </li>
  );
}
