import type { FieldChange, Warning } from "../../api/tools.ts";
import type { Via } from "./activity-search.ts";

/** A record of a change. Of the staff of another organization, only the organization's name is there. */
export type ActivityRecord = {
  id: string;
  at: string;
  tool: string;
  via: Via;
  own: boolean;
  organization: { id: string; slug: string; name: string } | null;
  event: { id: string; name: string | null } | null;
  user: { id: string; name: string | null; email: string | null } | null;
  api_key: { id: string; name: string | null } | null;
  operator: string | null;
  reason: string | null;
  warnings: Warning[];
  outcome: unknown;
  effect: "created" | "removed" | "changed";
  /** What it has undone, if it undid another change. */
  reverts: { record_id: string; origin: string } | null;
  /** The change that undid this one, while that is in effect. */
  reverted_by: string | null;
  revertible: boolean;
  changes: FieldChange[];
  changes_in_all: number;
};

/** Who made the change. */
export function actorOf({ own, user, api_key, operator, organization, via }: ActivityRecord): string {
  if (!own) return organization?.name ?? (via === "command_line" ? "The platform" : "Someone else");
  if (operator !== null) return operator;
  if (user !== null) return user.name ?? "Someone who was removed";
  return api_key?.name ?? organization?.name ?? "The platform";
}

/** How they made it. */
export function wayOf({ via, api_key, own }: ActivityRecord): string {
  if (via === "console") return "in the console";
  if (via === "command_line") return own ? "as operator, at the command line" : "at the command line";
  return api_key?.name ? `with the key “${api_key.name}”` : "with a key";
}
