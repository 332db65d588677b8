import type { DoorGuest, DoorPage, GuestChanges } from "../../../../../contract/console/guests.ts";
import { isApiError } from "../../../api/api-error.ts";
import { call } from "../../../api/client.ts";
import { type Committed, type Preview, previewTool, readTool, sendCommit } from "../../../api/tools.ts";

export type Arrival = { at: string | null; by: string | null };

/** What the door asks of the service. A session that has ended does not lead away from the door: there is a queue. */
export type DoorApi = {
  readPage(cursor: string | null): Promise<DoorPage>;
  readChanges(since: string): Promise<GuestChanges>;
  scan(code: string): Promise<DoorGuest | undefined>;
  preview(guest: string, checkedIn: boolean): Promise<Preview>;
  commit(
    guest: string,
    checkedIn: boolean,
    commit: { key: string; version: string; reason: string },
  ): Promise<Committed>;
  /** Who checked a guest in, and when. */
  readArrival(guest: string): Promise<Arrival>;
};

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
    preview: (guest, checkedIn) =>
      previewTool(scope, checkInTool, { event_id: event, registration_id: guest, checked_in: checkedIn }, options),
    commit: (guest, checkedIn, { key, version, reason }) =>
      sendCommit(
        scope,
        checkInTool,
        {
          event_id: event,
          registration_id: guest,
          checked_in: checkedIn,
          reason,
          dry_run: false,
          confirm: true,
          idempotency_key: key,
          expected_version: version,
        },
        options,
      ),
    async readArrival(guest) {
      const args = { event_id: event, registration_id: guest };
      const details = await readTool(organization, "get_event_registration_details", args, options);
      const entry = details.history.find(({ to }) => to?.includes("checked in"));
      const by = entry === undefined ? null : (entry.user?.name ?? entry.organization);
      return { at: details.registration.checked_in_at, by };
    },
  };
}
