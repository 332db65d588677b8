import type { StateCounts } from "../../../../../contract/console/guests.ts";
import type { RegistrationStatus } from "../../../../../contract/nouns.ts";
import { addressOf, call } from "../../../api/client.ts";

export type StateFilter = "all" | RegistrationStatus | "checked_in";

/** Also the order in which they are shown. */
export const stateFilters: { value: StateFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "approved", label: "Approved" },
  { value: "waitlisted", label: "Waitlisted" },
  { value: "declined", label: "Declined" },
  { value: "checked_in", label: "Checked in" },
];

export type GuestFilter = { state: StateFilter; query: string };

export function countIn(counts: StateCounts, state: StateFilter): number {
  if (state !== "all") return counts[state];
  return counts.pending + counts.approved + counts.waitlisted + counts.declined;
}

export function isInState(guest: { status: RegistrationStatus; checked_in: boolean }, state: StateFilter): boolean {
  if (state === "all") return true;
  return state === "checked_in" ? guest.checked_in : guest.status === state;
}

/** The arguments of the list's tool. */
export function argumentsOf({ state, query }: GuestFilter): { status?: string; checked_in?: boolean; query?: string } {
  const words = query.trim();
  return {
    ...(state === "all" ? {} : state === "checked_in" ? { checked_in: true } : { status: state }),
    ...(words === "" ? {} : { query: words }),
  };
}

/** The same for the selection and the export. */
const queryOf = ({ state, query }: GuestFilter) => ({
  status: state === "all" || state === "checked_in" ? undefined : state,
  checked_in: state === "checked_in" ? ("true" as const) : undefined,
  query: query.trim(),
});

export const readSelection = (organization: string, event: string, filter: GuestFilter) =>
  call("guestSelection", { organization, event, query: queryOf(filter) });

export const exportAddress = (organization: string, event: string, filter: GuestFilter): string =>
  addressOf("exportGuests", { organization, event, query: queryOf(filter) });
