import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { RestoreContext, RestoredRow, RevertibleTable } from "../../revert/revertible-table.js";
import { readSeats } from "./store.js";

export const revertibleRegistrations: RevertibleTable = {
  name: "registrations",
  noun: "registration",
  nouns: "registrations",
  showsById: true,
  key: ["id"],
  label: ["name", "email", "status", "previous_status", "checked_in_at"],
  whole: ["name", "email", "status", "previous_status", "checked_in_at", "ticket_type"],
  columns: { registered_at: "timestamp", checked_in_at: "timestamp" },
  instead: {
    change:
      "approve_event_registration, decline_event_registration, waitlist_event_registration or set_event_registration_check_in",
    add: "add_event_guest",
    remove: "decline_event_registration",
  },
  // As the tools for registrations show it.
  shown: ({ checked_in_at, ...columns }) => ({ ...columns, checked_in: (checked_in_at ?? null) !== null }),
  async check(context, rows) {
    refuseCheckedIn(rows);
    await requireSeats(context, rows);
    await refuseRegistered(context, rows);
  },
};

function refuseCheckedIn(rows: RestoredRow[]): void {
  const guests = rows.filter(({ earlier }) => earlier?.checked_in_at != null && earlier.status !== "approved");
  const [guest] = guests;
  if (guest === undefined) return;
  const others = guests.length === 1 ? "" : ` and ${guests.length - 1} more`;
  throw new ServiceError(
    "invalid_transition",
    `Cannot revert, because ${guest.earlier?.name}${others} checked in since. Nothing was reverted. Check out first: set_event_registration_check_in with checked_in: false`,
    { details: { registration_ids: guests.map(({ earlier }) => earlier?.id) } },
  );
}

/** A guest who is approved again takes a seat, as with the tools that approve. */
async function requireSeats({ tx, eventId }: RestoreContext, rows: RestoredRow[]): Promise<void> {
  const approved = (row: RestoredRow["now"]) => (row?.status === "approved" ? 1 : 0);
  const added = rows.reduce((sum, { now, earlier }) => sum + approved(earlier) - approved(now), 0);
  if (added <= 0 || eventId === undefined) return;
  const { seats } = await readSeats(tx, eventId, { unlimited: false });
  if (seats === undefined || seats.approved + added <= seats.capacity) return;
  throw new ServiceError(
    "conflict",
    `Over capacity: ${seats.approved} of ${seats.capacity} seats are taken, and this revert would approve ${added} more. Nothing was reverted. Raise the capacity with update_event_details, or approve with allow_over_capacity: true`,
    { details: { ...seats, requested: added } },
  );
}

async function refuseRegistered({ tx, eventId }: RestoreContext, rows: RestoredRow[]): Promise<void> {
  const added = rows.flatMap(({ now, earlier }) => (now === null ? [String(earlier?.email)] : []));
  if (added.length === 0) return;
  const [known] = await tx.query<{ id: string; email: string }>(sql`
    select id, email from registrations
    where event_id = ${eventId} and lower(email) = any (select lower(email) from unnest(${added}::text[]) email) limit 1`);
  if (known === undefined) return;
  throw new ServiceError(
    "conflict",
    `Cannot revert, because ${known.email} was registered again since, as ${known.id}. Nothing was reverted. Change that registration instead`,
    { details: { registration_id: known.id } },
  );
}
