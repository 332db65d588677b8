import type { GuestState } from "../../../../../contract/console/guests.ts";
import { allowedActions, type RegistrationAction } from "../../../../../contract/registrations.ts";
import { countOf } from "../../../format/counts.ts";

export type BulkAction = Exclude<RegistrationAction, "check_out">;

type Words = {
  verb: string;
  /** The same for what was done: "12 guests approved". */
  done: string;
  danger?: boolean;
  forMembers?: boolean;
};

/** What can be done with many guests at once. */
export const bulkActions: Record<BulkAction, Words> = {
  approve: { verb: "Approve", done: "approved" },
  waitlist: { verb: "Waitlist", done: "waitlisted" },
  decline: { verb: "Decline", done: "declined", danger: true },
  restore: { verb: "Restore", done: "restored" },
  check_in: { verb: "Check in", done: "checked in", forMembers: true },
};

export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

export type BulkPlan = { action: BulkAction; ids: string[]; skipped: number };

/** Who of a selection is changed. The others have the state already, or it does not allow the change. */
export function planBulk(action: BulkAction, selected: GuestState[]): BulkPlan {
  const ids = selected.filter((guest) => allowedActions(guest).includes(action)).map(({ id }) => id);
  return { action, ids, skipped: selected.length - ids.length };
}

export const titleOf = ({ action, ids }: BulkPlan): string =>
  `${bulkActions[action].verb} ${countOf(ids.length, "guest")}`;

export const reasonOf = (plan: BulkPlan): string => `${titleOf(plan)} from the guest list`;
