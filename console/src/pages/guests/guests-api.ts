import type { RegistrationStatus } from "../../../../contract/nouns.ts";
import { get, path } from "../../api/client.ts";

export type Guest = {
  id: string;
  name: string;
  email: string;
  status: RegistrationStatus;
  ticket_type: string | null;
  registered_at: string;
  checked_in_at: string | null;
};

export type GuestState = { id: string; status: RegistrationStatus; checked_in: boolean };

export type StateCounts = Record<RegistrationStatus | "checked_in", number>;

export type GuestCounts = StateCounts & { capacity: number | null };

export type GuestEvent = { id: string; name: string; timezone: string; start_time: string; end_time: string };

export type GuestPage = {
  items: Guest[];
  pagination: { has_more: boolean; next_cursor: string | null };
};

/** A guest as it is after a change, without what never changes. */
export type ChangedGuest = Omit<Guest, "registered_at"> & { code_hash: string };

export type GuestChanges = {
  event: GuestEvent;
  counts: GuestCounts;
  now: string;
  /** Pass it as `since` the next time. */
  as_of: string;
  /** Too much has changed to be listed: read everything again. */
  reload: boolean;
  items: ChangedGuest[];
};

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

/** The arguments of the list, the selection and the export. */
export function argumentsOf({ state, query }: GuestFilter): { status?: string; checked_in?: boolean; query?: string } {
  const words = query.trim();
  return {
    ...(state === "all" ? {} : state === "checked_in" ? { checked_in: true } : { status: state }),
    ...(words === "" ? {} : { query: words }),
  };
}

function search(filter: GuestFilter): string {
  const entries = Object.entries(argumentsOf(filter)).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

const eventPath = (organization: string, event: string) =>
  path`/api/console/organizations/${organization}/events/${event}`;

export const readSelection = (organization: string, event: string, filter: GuestFilter) =>
  get<{ items: GuestState[] }>(`${eventPath(organization, event)}/guests/selection${search(filter)}`);

export const readChanges = (organization: string, event: string, since: string | undefined, signal?: AbortSignal) =>
  get<GuestChanges>(
    `${eventPath(organization, event)}/guests/changes${since === undefined ? "" : `?${new URLSearchParams({ since })}`}`,
    signal,
  );

export const readCode = (organization: string, event: string, guest: string, signal?: AbortSignal) =>
  get<{ code: string }>(`${eventPath(organization, event)}/guests/${encodeURIComponent(guest)}/code`, signal);

export type CodePage = {
  event: GuestEvent;
  items: { id: string; name: string; ticket_type: string | null; code: string }[];
  next_cursor: string | null;
};

export const readCodes = (organization: string, event: string, cursor: string | null, signal?: AbortSignal) =>
  get<CodePage>(
    `${eventPath(organization, event)}/guests/codes${cursor === null ? "" : `?${new URLSearchParams({ cursor })}`}`,
    signal,
  );

export const exportAddress = (organization: string, event: string, filter: GuestFilter): string =>
  `${eventPath(organization, event)}/guests.csv${search(filter)}`;
