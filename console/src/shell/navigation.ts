import type { Organization, Session } from "../../../contract/console/account.ts";
import type { IconName } from "../ui/icon.tsx";

export type NavigationItem = { label: string; href: string; icon: IconName; exact?: boolean };

type OrganizationPage = Omit<NavigationItem, "href"> & { path: string };

/** The pages of an organization; the sidebar, the bar on phones and the command menu show the same. */
const organizationPages: OrganizationPage[] = [
  { label: "Events", path: "/events", icon: "calendar" },
  { label: "Dashboard", path: "", icon: "home", exact: true },
  { label: "Activity", path: "/activity", icon: "activity" },
  { label: "Settings", path: "/settings", icon: "settings" },
];

/** The parts of the settings, which the command menu has in the place of their common entry. */
const settingsPages: OrganizationPage[] = [
  { label: "Profile and branding", path: "/settings", icon: "building", exact: true },
  { label: "People", path: "/settings/members", icon: "users" },
  { label: "API keys", path: "/settings/keys", icon: "key" },
  { label: "Connected apps", path: "/settings/apps", icon: "plug" },
];

const platformPages: NavigationItem[] = [
  { label: "Overview", href: "/admin", icon: "home", exact: true },
  { label: "Conferences", href: "/admin/conferences", icon: "calendar" },
  { label: "Events", href: "/admin/events", icon: "list" },
  { label: "Organizations", href: "/admin/organizations", icon: "building" },
  { label: "People", href: "/admin/people", icon: "users" },
  { label: "Platform keys", href: "/admin/keys", icon: "key" },
  { label: "Records", href: "/admin/records", icon: "activity" },
];

export function navigationOf(organization: Organization | undefined, isPlatform: boolean): NavigationItem[] {
  if (isPlatform) return platformPages;
  if (organization === undefined) return [];
  return itemsOf(organizationPages, organization);
}

export const settingsOf = (organization: Organization): NavigationItem[] => itemsOf(settingsPages, organization);

const itemsOf = (pages: OrganizationPage[], { slug }: Organization): NavigationItem[] =>
  pages.map(({ path, ...item }) => ({ ...item, href: `/o/${slug}${path}` }));

export type Place = NavigationItem & { group: string };

/** Everywhere that a person can go, for the command menu. */
export function placesOf(session: Session, current: Organization | undefined): Place[] {
  const settings = current === undefined ? [] : settingsOf(current).map((item) => ({ ...item, group: "Settings" }));
  const here = navigationOf(current, false)
    .filter(({ href }) => settings.every((part) => part.href !== href))
    .map((item) => ({ ...item, group: current?.name ?? "" }));
  const others = session.organizations
    .filter(({ id }) => id !== current?.id)
    .map(({ name, slug }) => ({ label: name, href: `/o/${slug}`, icon: "building" as const, group: "Organizations" }));
  const platform = session.person?.platform_admin ? platformPages : [];
  return [
    ...here,
    ...settings,
    ...others,
    ...platform.map((item) => ({ ...item, group: "Administration" })),
    { label: "Your account", href: "/account", icon: "user", group: "General" },
    { label: "Documentation", href: "/docs", icon: "book", group: "General" },
  ];
}
