import type { GuestEvent, DoorGuest as ListedGuest } from "../../../../../contract/console/guests.ts";

/** Volunteers get no e-mail addresses. */
export type DoorGuest = Omit<ListedGuest, "email"> & { email?: string };

/** An event whose guests are on this device. Times are those of the service. */
export type StoredEvent = GuestEvent & { as_of: string; loaded_at: string };

/** A check-in, or its undoing, that the service has not confirmed yet. */
export type QueueEntry = {
  /** The idempotency key: however often it is sent, it happens once. */
  key: string;
  event: string;
  order: number;
  guest: { id: string; name: string };
  checkedIn: boolean;
  /** The time of the service, as far as this device knows it. */
  at: string;
  person: { id: string; name: string };
  /** Written once: a commit that is sent again must be the same request, whoever is signed in then. */
  reason: string;
  /** Set while it waits: it is not sent at all, or taken back if it has been. */
  undone: boolean;
  /** The version that a commit was sent with whose outcome is unknown. */
  version: string | null;
};

/** Something at the door that turned out otherwise when it was sent. */
export type Conflict = {
  key: string;
  event: string;
  name: string;
  at: string;
} & ({ kind: "duplicate"; arrivedAt: string | null; by: string | null } | { kind: "refused"; message: string });
