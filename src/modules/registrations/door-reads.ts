import type { DoorGuest as ShownGuest } from "../../../contract/console/guests.js";
import { ServiceError } from "../../../contract/errors.js";
import type { Queryable } from "../../infra/database/db.js";
import type { DeriveKey } from "../../sign-in/secret-key.js";
import { codeHash, type GuestCodes, guestCodes } from "./guest-code.js";
import {
  type DoorGuest,
  findDoorGuest,
  getGuestEvent,
  readDoorChanges,
  readDoorPage,
  readDoorTime,
} from "./guest-store.js";
import { unknownRegistrations } from "./store.js";

/** The guests of an event for devices at its door, with what recognizes their codes. */
export type DoorReads = { db: Queryable; eventId: string; codes: GuestCodes };

/** Guest codes are signed with a key that is derived from the secret of the service. */
export type GuestRouteServices = { signIn: { deriveKey: DeriveKey } };

export const codesOf = async ({ signIn }: GuestRouteServices): Promise<GuestCodes> =>
  guestCodes(await signIn.deriveKey("guest codes"));

export async function readGuestsAtDoor(reads: DoorReads, cursor: string | undefined) {
  const { db, eventId } = reads;
  // The time is read before the guests, so that a change between the two is read again with the next changes.
  const time = await readDoorTime(db);
  const event = await getGuestEvent(db, eventId);
  const { items, nextCursor } = await readDoorPage(db, eventId, { status: undefined }, cursor);
  return { event, ...time, items: withCodeHashes(reads, items), next_cursor: nextCursor };
}

/** Nobody has changed since an unknown time. */
export async function readChangesAtDoor(reads: DoorReads, since: string | undefined) {
  const { db, eventId } = reads;
  const time = await readDoorTime(db);
  const event = await getGuestEvent(db, eventId);
  const changed = since === undefined ? [] : await readDoorChanges(db, eventId, since);
  return { event, ...time, reload: changed === null, items: withCodeHashes(reads, changed ?? []) };
}

export async function getGuestAtDoor(reads: DoorReads, id: string): Promise<ShownGuest> {
  const guest = await findDoorGuest(reads.db, reads.eventId, id);
  if (guest === undefined) throw unknownRegistrations([id]);
  return withCodeHash(reads, guest);
}

/** The guest whose code it is. */
export async function getScannedGuest(reads: DoorReads, code: string): Promise<ShownGuest> {
  const id = reads.codes.verify(reads.eventId, code);
  const guest = id === undefined ? undefined : await findDoorGuest(reads.db, reads.eventId, id);
  if (guest === undefined) throw new ServiceError("not_found", "This is not the code of a guest of this event");
  return withCodeHash(reads, guest);
}

const withCodeHash = ({ codes, eventId }: DoorReads, guest: DoorGuest): ShownGuest => ({
  ...guest,
  code_hash: codeHash(codes.codeOf(eventId, guest.id)),
});

const withCodeHashes = (reads: DoorReads, guests: DoorGuest[]) => guests.map((guest) => withCodeHash(reads, guest));
