import { countOf } from "../../format/counts.ts";
import type { GuestState, GuestStatus } from "./guests-api.ts";

export type BulkAction = "approve" | "decline" | "waitlist" | "restore" | "check_in";

type Rule = {
  verb: string;
  /** The same for what was done: "12 guests approved". */
  done: string;
  from: readonly GuestStatus[];
  danger?: boolean;
  forMembers?: boolean;
};

/** What can be done with many guests at once; the service decides by the same rules. */
export const bulkActions: Record<BulkAction, Rule> = {
  approve: { verb: "Approve", done: "approved", from: ["pending", "waitlisted"] },
  waitlist: { verb: "Waitlist", done: "waitlisted", from: ["pending", "approved"] },
  decline: { verb: "Decline", done: "declined", from: ["pending", "waitlisted", "approved"], danger: true },
  restore: { verb: "Restore", done: "restored", from: ["declined"] },
  check_in: { verb: "Check in", done: "checked in", from: ["approved"], forMembers: true },
};

export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

export type BulkPlan = { action: BulkAction; ids: string[]; skipped: number };

/** Who of a selection is changed. The others have the state already, or it does not allow the change. */
export function planBulk(action: BulkAction, selected: GuestState[]): BulkPlan {
  const { from } = bulkActions[action];
  const ids = selected.filter(({ status, checked_in }) => !checked_in && from.includes(status)).map(({ id }) => id);
  return { action, ids, skipped: selected.length - ids.length };
}

export const titleOf = ({ action, ids }: BulkPlan): string =>
  `${bulkActions[action].verb} ${countOf(ids.length, "guest")}`;

export const reasonOf = (plan: BulkPlan): string => `${titleOf(plan)} from the guest list`;
