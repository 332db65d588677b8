import { isApiError } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { repeatedly } from "../../api/tools.ts";
import type { DoorApi } from "../event/door/door-api.ts";

/** What the door asks of the service for volunteers: the link says which event it is. */
export const volunteerApi: DoorApi = {
  readPage: (cursor) => call("volunteerGuests", { query: { cursor: cursor ?? undefined } }, { withoutSession: true }),
  readChanges: (since) => call("volunteerChanges", { query: { since } }, { withoutSession: true }),
  async scan(code) {
    try {
      return (await call("volunteerScan", { body: { code } }, { withoutSession: true })).guest;
    } catch (error) {
      if (isApiError(error, "not_found") || isApiError(error, "invalid_input")) return undefined;
      throw error;
    }
  },
  async preview(registration_id, checked_in) {
    const body = { registration_id, checked_in };
    const preview = await call("previewVolunteerCheckIn", { body }, { withoutSession: true });
    return { checkedIn: preview.checked_in, version: preview.expected_version };
  },
  async commit(registration_id, checked_in, { key, version, reason }) {
    const commit = { reason, idempotency_key: key, expected_version: version };
    await call("volunteerCheckIn", { body: { registration_id, checked_in, ...commit } }, { withoutSession: true });
  },
  async previewWalkIn(values) {
    const preview = await call("previewVolunteerWalkIn", { body: values }, { withoutSession: true });
    const commit = { idempotency_key: crypto.randomUUID(), expected_version: preview.expected_version };
    return {
      warnings: preview.warnings,
      commit: (reason) =>
        repeatedly(async () => {
          const body = { ...values, ...commit, reason };
          return (await call("volunteerWalkIn", { body }, { withoutSession: true })).registration_id;
        }),
    };
  },
  /** Volunteers learn when somebody was checked in, and not by whom. */
  async readArrival(registration) {
    const { guest } = await call("volunteerGuest", { registration }, { withoutSession: true });
    return { at: guest.checked_in_at, by: null };
  },
};
