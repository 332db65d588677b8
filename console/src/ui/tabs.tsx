import { createLink, type LinkComponent, useLocation } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from "react";
import { formatCount } from "../format/counts.ts";
import styles from "./tabs.module.css";

/** Tabs whose panels are pages: links, so that each has an address, opens in a new window and works with Back. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a phone the tab of a new page may be outside of the view, and it moves when the counts arrive or the window becomes narrower.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path makes another tab the current one.
  useEffect(() => {
    const view = list.current;
    if (view === null) return;
    const observer = new ResizeObserver(() => showCurrent(view));
    for (const element of [view, ...view.querySelectorAll("li")]) observer.observe(element);
    return () => observer.disconnect();
  }, [path]);
  return (
    <nav ref={list} aria-label={label} className={styles.tabs}>
      <ul className={styles.list}>{children}</ul>
    </nav>
  );
}

function showCurrent(view: HTMLElement): void {
  const current = view.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (current === undefined) return;
  const { left, width } = view.getBoundingClientRect();
  view.scrollLeft += current.left + current.width / 2 - (left + width / 2);
}

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { count?: number | undefined; ref?: Ref<HTMLAnchorElement> };

function TabAnchor({ count, children, className: _, ...rest }: Props) {
  return (
    <li>
      <a {...rest} className={styles.tab}>
        {children}
        {count !== undefined && <span className="faint tiny">{formatCount(count)}</span>}
      </a>
    </li>
  );
}

/** Takes the props of a router link; `activeOptions={{ exact: true }}` for the first. */
export const Tab: LinkComponent<typeof TabAnchor> = createLink(TabAnchor);
