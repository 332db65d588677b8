import { doorLinkActor } from "../../../../../contract/door-links.ts";
import type { HistoryEntry } from "../../../../../contract/schema/registrations.ts";

export function describeEntry({ from, to }: HistoryEntry): string {
  if (from === null) return `Added, ${to ?? "state unknown"}`;
  return from === to ? `Stayed ${to}` : `From ${from} to ${to ?? "unknown"}`;
}

export function actorOf({ user, key, door_link, organization }: HistoryEntry): string {
  if (door_link !== undefined) return doorLinkActor(user?.name ?? null, door_link.name);
  if (key !== null) return user === null ? `Key “${key}”` : `${user.name} with the key “${key}”`;
  return user?.name ?? organization ?? "The platform";
}
