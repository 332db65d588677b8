import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useSession } from "../../api/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Link } from "../../ui/link.tsx";
import { PublicHeader } from "../landing/public-header.tsx";
import styles from "./docs-frame.module.css";
import { sections } from "./site.ts";

const SearchDialog = lazy(() => import("./search-dialog.tsx").then((module) => ({ default: module.SearchDialog })));

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
      <a className={styles.skip} href="#main">
        Skip to the content
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
          {person === null ? "Sign in" : "Open the console"}
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

/** `/` opens the search, except where it is text. */
function useSearchShortcut(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
