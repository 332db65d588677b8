import { isApiError } from "../../api/api-error.ts";
import { path, request } from "../../api/client.ts";
import type { Committed, Json, Preview } from "../../api/tools.ts";
import type { GuestDetails } from "../guests/guest-drawer.tsx";
import type { GuestChanges, GuestEvent } from "../guests/guests-api.ts";
import type { DoorGuest } from "./door-types.ts";

export type DoorPage = {
  event: GuestEvent;
  now: string;
  as_of: string;
  items: DoorGuest[];
  next_cursor: string | null;
};

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
  const base = path`/api/console/organizations/${organization}`;
  const read = <Result>(rest: string) => request<Result>(`${base}/events/${event}/${rest}`, { withoutSession: true });
  const send = <Result>(address: string, body: Json) =>
    request<Result>(`${base}/${address}`, { method: "POST", body, withoutSession: true });
  return {
    readPage: (cursor) => read(cursor === null ? "door" : `door?${new URLSearchParams({ cursor })}`),
    readChanges: (since) => read(`guests/changes?${new URLSearchParams({ since })}`),
    async scan(code) {
      try {
        return (await send<{ guest: DoorGuest }>(`events/${event}/door/scan`, { code })).guest;
      } catch (error) {
        if (isApiError(error, "not_found") || isApiError(error, "invalid_input")) return undefined;
        throw error;
      }
    },
    preview: (guest, checkedIn) =>
      send(`tools/${checkInTool}`, { event_id: event, registration_id: guest, checked_in: checkedIn }),
    commit: (guest, checkedIn, { key, version, reason }) =>
      send(`tools/${checkInTool}`, {
        event_id: event,
        registration_id: guest,
        checked_in: checkedIn,
        reason,
        dry_run: false,
        confirm: true,
        idempotency_key: key,
        expected_version: version,
      }),
    async readArrival(guest) {
      const args = { event_id: event, registration_id: guest };
      const details = await send<GuestDetails>("tools/get_event_registration_details", args);
      const entry = details.history.find(({ to }) => to?.includes("checked in"));
      const by = entry === undefined ? null : (entry.user?.name ?? entry.organization);
      return { at: details.registration.checked_in_at, by };
    },
  };
}
