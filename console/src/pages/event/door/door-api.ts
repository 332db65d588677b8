import type { DoorPage, GuestChanges } from "../../../../../contract/console/guests.ts";
import { isApiError } from "../../../api/api-error.ts";
import { call } from "../../../api/client.ts";
import { commitTool, previewTool, readTool, sendCommit } from "../../../api/tools.ts";
import type { DoorGuest } from "./door-types.ts";

/** A page of the list, as far as the door needs it. */
type Page = Omit<DoorPage, "items"> & { items: DoorGuest[] };
type Changes = Omit<GuestChanges, "items" | "counts"> & { items: DoorGuest[] };

export type Arrival = { at: string | null; by: string | null };

/** Whether a guest is in, and the version with which that can be changed. */
export type CheckIn = { checkedIn: boolean; version: string };

export type WalkInValues = { name: string; email: string };

/** Somebody who can be added; `commit` returns the id of the guest. */
export type WalkIn = { warnings: string[]; commit: (reason: string) => Promise<string> };

/** What the door asks of the service. A session that has ended does not lead away from the door: there is a queue. */
export type DoorApi = {
  readPage(cursor: string | null): Promise<Page>;
  readChanges(since: string): Promise<Changes>;
  scan(code: string): Promise<DoorGuest | undefined>;
  preview(guest: string, checkedIn: boolean): Promise<CheckIn>;
  commit(guest: string, checkedIn: boolean, commit: CheckInCommit): Promise<void>;
  previewWalkIn(values: WalkInValues): Promise<WalkIn>;
  /** Who checked a guest in, and when. */
  readArrival(guest: string): Promise<Arrival>;
};

type CheckInCommit = { key: string; version: string; reason: string };

const checkInTool = "set_event_registration_check_in";

export function doorApi(organization: string, event: string): DoorApi {
  const options = { withoutSession: true };
  const of = { organization, event };
  const scope = { organization };
  return {
    readPage: (cursor) => call("door", { ...of, query: { cursor: cursor ?? undefined } }, options),
    readChanges: (since) => call("guestChanges", { ...of, query: { since } }, options),
    async scan(code) {
      try {
        return (await call("scanCode", { ...of, body: { code } }, options)).guest;
      } catch (error) {
        if (isApiError(error, "not_found") || isApiError(error, "invalid_input")) return undefined;
        throw error;
      }
    },
    async preview(guest, checkedIn) {
      const args = { event_id: event, registration_id: guest, checked_in: checkedIn };
      const { current, commit_with } = await previewTool(scope, checkInTool, args, options);
      const { checked_in } = current.registration as { checked_in: boolean };
      return { checkedIn: checked_in, version: String(commit_with.expected_version) };
    },
    async commit(guest, checkedIn, { key, version, reason }) {
      const args = { event_id: event, registration_id: guest, checked_in: checkedIn, reason };
      const commit = { dry_run: false, confirm: true, idempotency_key: key, expected_version: version };
      await sendCommit(scope, checkInTool, { ...args, ...commit }, options);
    },
    async previewWalkIn(values) {
      const preview = await previewTool(scope, "add_walk_in", { event_id: event, ...values }, options);
      return {
        warnings: preview.warnings.map(({ message }) => message),
        async commit(reason) {
          const { after } = await commitTool(scope, "add_walk_in", preview, reason, options);
          return (after.registration as { id: string }).id;
        },
      };
    },
    async readArrival(guest) {
      const args = { event_id: event, registration_id: guest };
      const details = await readTool(organization, "get_event_registration_details", args, options);
      const entry = details.history.find(({ to }) => to?.includes("checked in"));
      const by = entry === undefined ? null : (entry.user?.name ?? entry.organization);
      return { at: details.registration.checked_in_at, by };
    },
  };
}
