import { formatClock, formatDay } from "../../../format/times.ts";
import type { Arrival } from "./door-api.ts";
import type { DoorGuest } from "./door-types.ts";

/** What the person at the door is shown about a guest, on the whole screen. */
export type Verdict =
  | { kind: "checking"; guest: DoorGuest }
  /** `isSent`: the service has it; otherwise it waits on this device. */
  | { kind: "welcome"; guest: DoorGuest; isSent: boolean }
  | { kind: "duplicate"; guest: DoorGuest; arrival: Arrival }
  | { kind: "refused"; guest: DoorGuest | null; title: string; message: string };

const refusals: Record<Exclude<DoorGuest["status"], "approved">, { title: string; message: string }> = {
  pending: { title: "Not approved", message: "The registration is still pending. Ask the host." },
  waitlisted: { title: "On the waiting list", message: "There was no place for this guest. Ask the host." },
  declined: { title: "Declined", message: "The registration was declined. Ask the host." },
};

/** Undefined where the guest can come in. */
export function refusalOf(guest: DoorGuest): Verdict | undefined {
  return guest.status === "approved" ? undefined : { kind: "refused", guest, ...refusals[guest.status] };
}

export const unknownCode: Verdict = {
  kind: "refused",
  guest: null,
  title: "Unknown code",
  message: "This is not the code of a guest of this event. Search by name.",
};

export const unknownCodeOffline: Verdict = {
  kind: "refused",
  guest: null,
  title: "Code not on this device",
  message: "It may be of a guest who registered later. Search by name, or scan again with a connection.",
};

/** The day of an arrival that was not today. */
export const otherDay = (at: string, zone: string): string | undefined => {
  const day = formatDay(at, zone);
  return day === formatDay(Date.now(), zone) ? undefined : day;
};

/** "at 18:02 by Ana Silva". The day is said where it is not today. */
export function describeArrival({ at, by }: Arrival, zone: string, what = "Checked in"): string {
  const day = at === null ? undefined : otherDay(at, zone);
  const time = at === null ? "" : `${day === undefined ? "" : ` on ${day}`} at ${formatClock(at, zone)}`;
  return `${what}${time}${by === null ? "" : ` by ${by}`}`;
}
