import { useLocation } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import type { NavigationItem } from "./navigation.ts";
import styles from "./navigation-link.module.css";

/** The pages that the bar on phones has no room for. */
export function MorePages({ items }: { items: NavigationItem[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isHere = ({ href }: NavigationItem) => path === href || path.startsWith(`${href}/`);
  const current = items.find(isHere);
  const trigger = (
    <Button
      className={styles.link ?? ""}
      data-current={current !== undefined}
      aria-label={current === undefined ? "More pages" : `More pages, now ${current.label}`}
    >
      <Icon name="more" />
      <span>More</span>
    </Button>
  );
  return (
    <li className={styles.more}>
      <Menu trigger={trigger} label="More pages" placement="top end">
        {items.map((item) => (
          <MenuItem
            key={item.href}
            href={item.href}
            icon={item.icon}
            label={item.label}
            isCurrent={item.href === current?.href}
          />
        ))}
      </Menu>
    </li>
  );
}
