import type { Organization, Session } from "../../../contract/console/account.ts";
import { type Role, roleAtLeast } from "../../../contract/roles.ts";
import { call } from "../api/client.ts";
import { folded } from "../format/folded.ts";
import { formatDay } from "../format/times.ts";
import type { IconName } from "../ui/icon.tsx";
import { placesOf } from "./navigation.ts";

/** One line of the command menu: somewhere to go, or something to do there. */
export type Command = { id: string; label: string; hint?: string; icon: IconName; group: string; href: string };

type Action = { label: string; icon: IconName; path: string; role: Role };

/** Pages open these dialogs by the address: see useOpenedByAddress. */
const organizationActions: Action[] = [
  { label: "Create key", icon: "key", path: "/settings/keys?create=true", role: "owner" },
  { label: "Invite person", icon: "users", path: "/settings/members?invite=true", role: "owner" },
];

const eventActions: Action[] = [
  { label: "Add guest", icon: "plus", path: "/guests?add=true", role: "admin" },
  { label: "Open the door list", icon: "door", path: "/door", role: "member" },
  { label: "Print guest codes", icon: "qr", path: "/guests/print", role: "member" },
];

/** Pages and actions that match, without asking the service. */
export function knownCommands(
  session: Session,
  organization: Organization | undefined,
  eventId: string | undefined,
  query: string,
): Command[] {
  const commands = [
    ...actionsOf(organization, eventId),
    ...placesOf(session, organization).map((place) => ({ ...place, id: place.href })),
  ];
  return commands.filter(({ label, group }) => query === "" || matches(`${label} ${group}`, query));
}

function actionsOf(organization: Organization | undefined, eventId: string | undefined): Command[] {
  if (organization === undefined) return [];
  const base = `/o/${organization.slug}`;
  const within = (actions: Action[], start: string, group: string) =>
    actions
      .filter(({ role }) => roleAtLeast(organization.role, role))
      .map(({ label, icon, path: rest }) => ({ id: start + rest, label, icon, group, href: start + rest }));
  return [
    ...(eventId === undefined ? [] : within(eventActions, `${base}/events/${eventId}`, "This event")),
    ...within(organizationActions, base, "Actions"),
  ];
}

/** Events and guests of an organization. */
export async function searchCommands(
  { id, slug }: Organization,
  query: string,
  signal: AbortSignal,
): Promise<Command[]> {
  const { events, guests } = await call("search", { organization: id, query: { query } }, { signal });
  const at = (eventId: string) => `/o/${slug}/events/${eventId}`;
  return [
    ...events.map((event) => ({
      id: event.id,
      label: event.name,
      hint: formatDay(event.start_time, event.timezone),
      icon: "calendar" as const,
      group: "Events",
      href: at(event.id),
    })),
    ...guests.map((guest) => ({
      id: guest.id,
      label: guest.name,
      hint: guest.event.name,
      icon: "user" as const,
      group: "Guests",
      href: `${at(guest.event.id)}/guests?guest=${guest.id}`,
    })),
  ];
}

/** Every word must occur, in any order. */
function matches(text: string, query: string): boolean {
  const target = folded(text);
  return folded(query)
    .split(/\s+/)
    .every((word) => target.includes(word));
}
