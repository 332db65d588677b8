import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Organization } from "../../../contract/console/account.ts";
import { useLive, usePlatformLive } from "../api/live.ts";
import { homeOrganizationOf, rememberOrganization, useOptionalOrganization, useSession } from "../api/session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { CommandMenuButton } from "./command-menu-button.tsx";
import styles from "./frame.module.css";
import { MorePages } from "./more-pages.tsx";
import { navigationOf } from "./navigation.ts";
import { NavigationLink } from "./navigation-link.tsx";
import { OrganizationSwitcher } from "./organization-switcher.tsx";
import { LeftOrganizationPage } from "./problem-pages.tsx";
import { useBrandColor } from "./theme.ts";

/** What fits into the bar of the narrowest phone, with names that can be read. */
const placesOnPhones = 5;

/** The frame around the pages of signed-in people: a sidebar, or on phones a bar at each edge. */
export function Frame() {
  const named = useOptionalOrganization();
  const isNamed = useParams({ strict: false, select: ({ organization }) => organization !== undefined });
  const session = useSession();
  const isPlatform = useLocation({ select: ({ pathname }) => pathname.startsWith("/admin") });
  // A page of the person, such as the account, keeps the navigation of where they came from.
  const organization = named ?? (isPlatform ? undefined : homeOrganizationOf(session));
  useBrandColor(organization?.brand_primary_color ?? null);
  const items = navigationOf(organization, isPlatform);
  const shown = items.length > placesOnPhones ? placesOnPhones - 1 : items.length;
  return (
    <div className={styles.frame}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      {named !== undefined && <OrganizationLive organization={named} />}
      {isPlatform && <PlatformLive />}
      <header className={styles.side}>
        <OrganizationSwitcher current={organization} isPlatform={isPlatform} />
        <CommandMenuButton />
        {items.length > 0 && (
          <nav aria-label="Pages" className={styles.navigation}>
            <ul className={styles.items}>
              {items.map((item, index) => (
                <NavigationLink key={item.href} item={item} isFurther={index >= shown} />
              ))}
              {shown < items.length && <MorePages items={items.slice(shown)} />}
            </ul>
          </nav>
        )}
        <div className={styles.account}>
          <AccountMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <div className={styles.content}>{isNamed && named === undefined ? <LeftOrganizationPage /> : <Outlet />}</div>
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
