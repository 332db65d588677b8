import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { doorLinkActor } from "../../../../contract/door-links.ts";

/** Who made the change. */
export function actorOf({ own, user, api_key, app, door_link, operator, organization, via }: ActivityRecord): string {
  if (!own) return organization?.name ?? (via === "command_line" ? "The platform" : "Someone else");
  if (door_link !== null) return doorLinkActor(user?.name ?? null, door_link.name);
  if (operator !== null) return operator;
  if (user !== null) return user.name ?? "Someone who was removed";
  return api_key?.name ?? app?.name ?? organization?.name ?? "The platform";
}

/** How they made it. */
export function wayOf({ via, api_key, app, own }: ActivityRecord): string {
  if (via === "console") return "in the console";
  if (via === "door") return "at the door";
  if (via === "command_line") return own ? "as operator, at the command line" : "at the command line";
  if (via === "app") return app?.name ? `with the app “${app.name}”` : "with a connected app";
  return api_key?.name ? `with the key “${api_key.name}”` : "with a key";
}
