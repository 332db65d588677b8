import type { Organization, Session } from "../../../contract/console/account.ts";
import type { Role } from "../../../contract/roles.ts";
import { roleAtLeast } from "../../../contract/roles.ts";
import type { IconName } from "../ui/icon.tsx";

export type NavigationItem = { label: string; href: string; icon: IconName; exact?: boolean };

type OrganizationPage = Omit<NavigationItem, "href"> & { path: string; role?: Role };

/** The pages of an organization; the sidebar, the bar on phones and the command menu show the same. */
const organizationPages: OrganizationPage[] = [
  { label: "Dashboard", path: "", icon: "home", exact: true },
  { label: "API keys", path: "/keys", icon: "key" },
  { label: "Connected apps", path: "/apps", icon: "plug" },
  { label: "People", path: "/members", icon: "users" },
  { label: "Activity", path: "/activity", icon: "activity" },
  { label: "Settings", path: "/settings", icon: "settings" },
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
  return organizationPages
    .filter(({ role = "member" }) => roleAtLeast(organization.role, role))
    .map(({ path, role: _, ...item }) => ({ ...item, href: `/o/${organization.slug}${path}` }));
}

export type Place = NavigationItem & { group: string };

/** Everywhere that a person can go, for the command menu. */
export function placesOf(session: Session, current: Organization | undefined): Place[] {
  const here = navigationOf(current, false).map((item) => ({ ...item, group: current?.name ?? "" }));
  const others = session.organizations
    .filter(({ id }) => id !== current?.id)
    .map(({ name, slug }) => ({ label: name, href: `/o/${slug}`, icon: "building" as const, group: "Organizations" }));
  const platform = session.person?.platform_admin ? platformPages : [];
  return [
    ...here,
    ...others,
    ...platform.map((item) => ({ ...item, group: "Administration" })),
    { label: "Your account", href: "/account", icon: "user", group: "General" },
    { label: "Documentation", href: "/docs", icon: "book", group: "General" },
  ];
}
