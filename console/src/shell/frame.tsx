import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLive, usePlatformLive } from "../api/live.ts";
import { type Organization, rememberOrganization, useOptionalOrganization } from "../api/session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { CommandMenuButton } from "./command-menu-button.tsx";
import styles from "./frame.module.css";
import { navigationOf } from "./navigation.ts";
import { NavigationLink } from "./navigation-link.tsx";
import { OrganizationSwitcher } from "./organization-switcher.tsx";
import { useBrandColor } from "./theme.ts";

/** The frame around the pages of signed-in people: a sidebar, or on phones a bar at each edge. */
export function Frame() {
  const organization = useOptionalOrganization();
  const isPlatform = useLocation({ select: ({ pathname }) => pathname.startsWith("/admin") });
  useBrandColor(organization?.brand_primary_color ?? null);
  const items = navigationOf(organization, isPlatform);
  return (
    <div className={styles.frame}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {organization !== undefined && <OrganizationLive organization={organization} />}
      {isPlatform && <PlatformLive />}
      <header className={styles.side}>
        <OrganizationSwitcher current={organization} isPlatform={isPlatform} />
        <CommandMenuButton />
        {items.length > 0 && (
          <nav aria-label="Pages" className={styles.navigation}>
            <ul className={styles.items}>
              {items.map((item) => (
                <NavigationLink key={item.href} item={item} />
              ))}
            </ul>
          </nav>
        )}
        <div className={styles.account}>
          <AccountMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <div className={styles.content}>
          <Outlet />
        </div>
      </main>
    </div>
  );
}

function OrganizationLive({ organization: { id, slug } }: { organization: Organization }) {
  useLive(id);
  useEffect(() => rememberOrganization(slug), [slug]);
  return null;
}

function PlatformLive() {
  usePlatformLive();
  return null;
}
