import { createLink, type LinkComponent, useLocation } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from "react";
import styles from "./tabs.module.css";

/** Tabs whose panels are pages: links, so that each has an address, opens in a new window and works with Back. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the tab of a new page may be outside of the view.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (current == null || list.current === null) return;
    const { left, width } = current.getBoundingClientRect();
    const view = list.current.getBoundingClientRect();
    list.current.scrollLeft += left + width / 2 - (view.left + view.width / 2);
  }, [path]);
  return (
    <nav ref={list} aria-label={label} className={styles.tabs}>
      <ul className={styles.list}>{children}</ul>
    </nav>
  );
}

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { count?: number | undefined; ref?: Ref<HTMLAnchorElement> };

function TabAnchor({ count, children, className: _, ...rest }: Props) {
  return (
    <li>
      <a {...rest} className={styles.tab}>
        {children}
        {count !== undefined && <span className={styles.count}>{count.toLocaleString("en-GB")}</span>}
      </a>
    </li>
  );
}

/** Takes the props of a router link; `activeOptions={{ exact: true }}` for the first. */
export const Tab: LinkComponent<typeof TabAnchor> = createLink(TabAnchor);
