import type { GuestState } from "../../../../../contract/console/guests.ts";
import { registrationStatuses } from "../../../../../contract/nouns.ts";
import { allowedActions, type RegistrationAction } from "../../../../../contract/registrations.ts";
import { countOf, formatCount, listOf } from "../../../format/counts.ts";

export type BulkAction = Exclude<RegistrationAction, "check_out">;

type Words = {
  verb: string;
  /** What the record says was done: "Approved 12 guests". */
  past: string;
  /** The same for what was done: "12 guests approved". */
  done: string;
  danger?: boolean;
  forMembers?: boolean;
};

/** What can be done with many guests at once. */
export const bulkActions: Record<BulkAction, Words> = {
  approve: { verb: "Approve", past: "Approved", done: "approved" },
  waitlist: { verb: "Waitlist", past: "Waitlisted", done: "waitlisted" },
  decline: { verb: "Decline", past: "Declined", done: "declined", danger: true },
  restore: { verb: "Restore", past: "Restored", done: "restored" },
  check_in: { verb: "Check in", past: "Checked in", done: "checked in", forMembers: true },
};

export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

export type BulkPlan = { action: BulkAction; guests: GuestState[]; skipped: number };

/** Who of a selection is changed. The others have the state already, or it does not allow the change. */
export function planBulk(action: BulkAction, selected: GuestState[]): BulkPlan {
  const guests = selected.filter((guest) => allowedActions(guest).includes(action));
  return { action, guests, skipped: selected.length - guests.length };
}

export const titleOf = ({ action, guests }: BulkPlan): string =>
  `${bulkActions[action].verb} ${countOf(guests.length, "guest")}`;

export const reasonOf = ({ action, guests }: BulkPlan): string =>
  `${bulkActions[action].past} ${countOf(guests.length, "guest")} from the guest list`;

/** More names than these are not read before pressing a button. */
const namedGuests = 5;

/** Who it is about: the first names, and how many more. */
export function namesOf({ guests }: BulkPlan): { names: string[]; more: string } {
  const names = guests.slice(0, namedGuests).map(({ name }) => name);
  return { names, more: guests.length > names.length ? ` and ${formatCount(guests.length - names.length)} more` : "" };
}

/** The states that they have now: "400 pending and 110 approved". */
export function statesOf({ guests }: BulkPlan): string {
  const counts = registrationStatuses.map((status) => [
    status,
    guests.filter((guest) => guest.status === status).length,
  ]);
  return listOf(counts.flatMap(([status, count]) => (count === 0 ? [] : [`${formatCount(Number(count))} ${status}`])));
}

export const skippedWords = (skipped: number): string =>
  skipped === 1
    ? "1 other of the selection stays as it is."
    : `${formatCount(skipped)} others of the selection stay as they are.`;
