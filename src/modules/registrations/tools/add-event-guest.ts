import { z } from "zod";
import { fieldError, ServiceError } from "../../../../contract/errors.js";
import { afterApprovals, describeState, type Seats } from "../../../../contract/registrations.js";
import { email, line } from "../../../../contract/schema/fields.js";
import {
  allowOverCapacity,
  nobodyIsNotified,
  registrationStatus,
  ticketingNote,
} from "../../../../contract/schema/registrations.js";
import { someOf } from "../../../../contract/shortened.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { oneOrMany } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { getRosterCounts, type RosterCounts } from "../roster-store.js";
import { addGuests, findGuests, type GuestRegistration, type NewGuest, readSeats } from "../store.js";

const guests = oneOrMany("guests", 100, {
  name: line(200),
  email,
  ticket_type: line(200).nullable().exactOptional(),
  status: registrationStatus.extract(["approved", "pending"]).exactOptional().meta({ default: "approved" }),
});

/** New guests have no id yet. */
type Guest = Omit<GuestRegistration, "id"> & { id: string | null };

/** Of many guests, only what a new one has is shown. The list of guests that they join is counted, because it can be long. */
type AddGuestState = {
  registration?: Guest | null;
  registrations?: (NewGuest & { id: string | null })[];
  registration_counts: RosterCounts;
  seats?: Seats;
};

export const addEventGuest = defineEventMutation({
  name: "add_event_guest",
  title: "Add guests",
  group: "registrations",
  description: `Register a guest, or up to 100 in \`guests\`, all or none. An e-mail address can be registered once per event. ${nobodyIsNotified}`,
  scope: "registrations:write",
  role: "admin",
  example: { event_id: exampleIds.event, name: "Grace Hopper", email: "grace@example.com" },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ ...guests.fields, allow_over_capacity: allowOverCapacity }),
  async prepare(_, input) {
    const { rows, isList } = guests.rowsOf(input);
    const addresses = rows.map((guest) => guest.email.toLowerCase());
    const repeated = addresses.filter((address, index) => addresses.indexOf(address) !== index);
    if (repeated.length > 0) {
      throw fieldError("guests", `expected each e-mail address once; repeated: ${someOf([...new Set(repeated)])}`);
    }
    return { wanted: rows.map((guest) => ({ status: "approved" as const, ticket_type: null, ...guest })), isList };
  },
  async read({ tx, event }, input, { wanted, isList }): Promise<AddGuestState> {
    const unlimited = approvedOf(wanted) === 0 || input.allow_over_capacity;
    const [registered, registration_counts, seats] = await Promise.all([
      findGuests(
        tx,
        event.id,
        wanted.map((guest) => guest.email),
      ),
      getRosterCounts(tx, event.id),
      readSeats(tx, event.id, { unlimited }),
    ]);
    return { ...shown(registered, isList), registration_counts, ...seats };
  },
  propose(current, _, { wanted, isList }) {
    requireNew(current);
    const added = wanted.map((guest) => ({ id: null, previous_status: null, checked_in: false, ...guest }));
    const registration_counts = { ...current.registration_counts };
    for (const { status } of wanted) registration_counts[status] += 1;
    return { ...shown(added, isList), registration_counts, ...afterApprovals(current.seats, approvedOf(wanted)) };
  },
  report: (_, event) => ticketingNote(event),
  // Whether seats are free is checked by `propose`, so the number of other guests is no part of the version.
  basis: ({ seats: _, registration_counts: __, ...registered }) => registered,
  async store({ tx, event }, { prepared: { wanted } }) {
    if ((await addGuests(tx, event.id, wanted, "agent")) === wanted.length) return;
    throw new ServiceError(
      "conflict",
      "An e-mail address was registered by another request. Nothing was changed. Preview again",
    );
  },
});

const approvedOf = (rows: { status: string }[]) => rows.filter(({ status }) => status === "approved").length;

function shown(rows: Guest[], isList: boolean): Pick<AddGuestState, "registration" | "registrations"> {
  if (!isList) return { registration: rows[0] ?? null };
  return {
    registrations: rows.map(({ id, name, email: address, status, ticket_type }) => ({
      id,
      name,
      email: address,
      status,
      ticket_type,
    })),
  };
}

function requireNew({ registration, registrations = [] }: AddGuestState): void {
  if (registration != null) {
    const { id, email: address, status, checked_in } = registration;
    throw new ServiceError(
      "conflict",
      `${address} is already registered: registration ${id}, ${describeState(registration)}. Nothing was changed. Change that registration instead`,
      { details: { registration_id: id, status, checked_in } },
    );
  }
  if (registrations.length === 0) return;
  const registered = registrations.map(({ id, email: address, status }) => ({
    email: address,
    registration_id: id,
    status,
  }));
  throw new ServiceError(
    "conflict",
    `Already registered: ${someOf(registrations.map(({ email: address, status }) => `${address} (${status})`))}. Nothing was changed. Leave them out; see registered for their ids`,
    { details: { registered } },
  );
}
