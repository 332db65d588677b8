import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useSession } from "../../api/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link.tsx";
import { PublicHeader } from "../landing/public-header.tsx";
import styles from "./docs-frame.module.css";
import { sections } from "./site.ts";

const SearchDialog = lazyPart(() => import("./search-dialog.tsx"), "SearchDialog");

/** Header, navigation and search around every page of the documentation. */
export function DocsFrame() {
  const [searching, setSearching] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { person } = useSession();
  useSearchShortcut(() => setSearching(true));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu.
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <div className={styles.frame}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <PublicHeader
        start={
          <span className={styles.menuButton}>
            <IconButton
              icon={menuOpen ? "close" : "menu"}
              label={menuOpen ? "Close the navigation" : "Open the navigation"}
              onPress={() => setMenuOpen(!menuOpen)}
            />
          </span>
        }
      >
        <button type="button" className={styles.search} onClick={() => setSearching(true)}>
          <Icon name="search" />
          <span className={styles.searchText}>Search</span>
          <kbd className={styles.key}>/</kbd>
        </button>
        <ButtonLink to={person === null ? "/sign-in" : "/"} size="small">
          {person === null ? "Sign in" : "Console"}
        </ButtonLink>
      </PublicHeader>
      <nav className={styles.navigation} data-open={menuOpen} aria-label="Documentation">
        {sections.map(({ title, pages }) => (
          <div key={title} className={styles.section}>
            <h2 className={styles.sectionTitle}>{title}</h2>
            <ul>
              {pages.map((page) => (
                <li key={page.path}>
                  <Link
                    quiet
                    to={page.path}
                    className={styles.link}
                    activeOptions={{ exact: true, includeHash: false }}
                    activeProps={{ "aria-current": "page" }}
                  >
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="main" tabIndex={-1} className="shrinks">
        <Outlet />
      </main>
      {searching && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** `/` opens the search, except where it is text; ⌘K and Ctrl+K everywhere, as in the console. */
function useSearchShortcut(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.altKey || event.shiftKey || event.defaultPrevented) return;
      const isCommand = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
      const isText = target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const isSlash = event.key === "/" && !event.metaKey && !event.ctrlKey && !isText;
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
