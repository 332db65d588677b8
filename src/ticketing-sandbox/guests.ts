import { createHash } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../platform/errors.js";
import { eventOf, parseFields, type SandboxCall, type Surroundings } from "./call.js";
import { pageOf } from "./paging.js";
import { type ApprovalStatus, approvalStatuses, type Guest, type Ticket, type TicketType } from "./records.js";
import type { Change, EventState, StoredGuest } from "./state.js";

export const getGuests: SandboxCall = {
  method: "GET",
  run(surroundings, fields) {
    const event = eventOf(surroundings, fields);
    const wanted = parseFields(listFields, fields);
    const guests = [...event.guests.values()]
      .map(({ guest }) => guest)
      .filter((guest) => wanted.approval_status === undefined || guest.approval_status === wanted.approval_status)
      .sort(orderBy(wanted.sort_column, wanted.sort_direction));
    const page = pageOf(guests, fields);
    return { body: { ...page, entries: page.entries.map((guest) => ({ ...guest, guest })) } };
  },
};

export const getGuest: SandboxCall = {
  method: "GET",
  run(surroundings, fields) {
    const event = eventOf(surroundings, fields);
    const name = fields.id ?? fields.api_id ?? fields.email ?? fields.proxy_key;
    if (typeof name !== "string" || name === "") throw new ServiceError("invalid_input", "Missing guest identifier");
    const { guest } = getGuestOf(event, name);
    return { body: { guest: { ...guest, event_ticket_orders: ordersOf(guest) } } };
  },
};

/** No invitation: it skips payment and approval, and everyone gets an e-mail. */
export const addGuests: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const event = eventOf(surroundings, fields);
    const wanted = parseFields(addFields, fields);
    if (wanted.ticket !== undefined && wanted.tickets !== undefined) {
      throw new ServiceError("invalid_input", "Provide either ticket or tickets, not both");
    }
    const types = (wanted.tickets ?? (wanted.ticket ? [wanted.ticket] : [])).map(({ event_ticket_type_id: id }) => {
      const type = event.ticketTypes.get(id);
      if (type === undefined) throw new ServiceError("invalid_input", `Ticket type not found: ${id}`);
      return type;
    });
    const changes = wanted.guests.flatMap(({ email, name }): Change[] => {
      const known = findGuestOf(event, email);
      const granted = types.length > 0 || known !== undefined ? types : defaultTypes(event);
      const stored = known
        ? withTickets(surroundings, known, granted, wanted.approval_status)
        : makeGuest(surroundings, event, { email, name, status: wanted.approval_status, types: granted });
      const mail = wanted.send_email ? [mailTo(surroundings, event, stored.guest, "guest_added")] : [];
      return [{ kind: "guest", event_id: event.event.id, ...stored }, ...mail];
    });
    return { body: {}, changes };
  },
};

export const updateGuestStatus: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const event = eventOf(surroundings, fields);
    const wanted = parseFields(statusFields, fields);
    const name = wanted.guest.type === "email" ? wanted.guest.email : wanted.guest.api_id;
    const stored = getGuestOf(event, name);
    if (stored.guest.approval_status === wanted.status) return { body: {} };
    const guest = { ...stored.guest, approval_status: wanted.status };
    if (wanted.status === "declined" && wanted.should_refund) guest.event_tickets = guest.event_tickets.map(refunded);
    const mail = mailTo(surroundings, event, guest, `guest_${wanted.status}`);
    return { body: {}, changes: [{ kind: "guest", event_id: event.event.id, guest, key: stored.key }, mail] };
  },
};

export type NewGuest = {
  email: string;
  name: string | undefined;
  status: ApprovalStatus;
  types: TicketType[];
  registeredAt?: string;
  checkedInAt?: string | null;
  answers?: Record<string, unknown>;
  source?: string | null;
};

export function makeGuest({ now, newId }: Surroundings, event: EventState, wanted: NewGuest): StoredGuest {
  const id = newId("gst");
  const key = newId("g");
  const at = wanted.registeredAt ?? now().toISOString();
  const [first = null, ...others] = wanted.name?.split(" ") ?? [];
  const checkedInAt = wanted.checkedInAt ?? null;
  const guest: Guest = {
    id,
    api_id: id,
    user_id: userId(wanted.email),
    user_email: wanted.email,
    user_name: wanted.name ?? null,
    user_first_name: first,
    user_last_name: others.length === 0 ? null : others.join(" "),
    approval_status: wanted.status,
    check_in_qr_code: `https://luma.example.com/check-in/${event.event.id}?pk=${key}`,
    invited_at: null,
    joined_at: wanted.status === "approved" ? at : null,
    registered_at: at,
    registration_answers: Object.entries(wanted.answers ?? {}).map(([label, value]) => ({
      question_id: label,
      label: label.replaceAll("_", " "),
      value,
    })),
    phone_number: null,
    utm_source: wanted.source ?? null,
    event_tickets: wanted.types.map((type) => ({ ...ticketOf(newId("tkt"), type), checked_in_at: checkedInAt })),
    checked_in_at: checkedInAt,
  };
  return { guest, key };
}

/** The same person has the same id at every event. */
export function userId(email: string): string {
  return `usr-${createHash("sha256").update(email.toLowerCase()).digest("hex").slice(0, 15)}`;
}

const listFields = z.object({
  approval_status: z.enum(approvalStatuses).optional(),
  sort_column: z.enum(["name", "email", "created_at", "registered_at", "checked_in_at"]).default("registered_at"),
  sort_direction: z.enum(["asc", "desc", "asc nulls last", "desc nulls last"]).default("asc"),
});

const ticketChoice = z.object({ event_ticket_type_id: z.string().min(1) });

const addFields = z.object({
  guests: z.array(z.object({ email: z.email(), name: z.string().optional() })).min(1),
  ticket: ticketChoice.optional(),
  tickets: z.array(ticketChoice).optional(),
  approval_status: z.enum(approvalStatuses).default("approved"),
  send_email: z.boolean().default(true),
});

const statusFields = z.object({
  guest: z.discriminatedUnion("type", [
    z.object({ type: z.literal("email"), email: z.string().min(1) }),
    z.object({ type: z.literal("api_id"), api_id: z.string().min(1) }),
  ]),
  status: z.enum(["approved", "declined", "pending_approval", "waitlist"]),
  should_refund: z.boolean().optional(),
});

function findGuestOf(event: EventState, name: string): StoredGuest | undefined {
  const byId = event.guests.get(name);
  if (byId !== undefined) return byId;
  const email = name.toLowerCase();
  for (const stored of event.guests.values()) {
    const { guest, key } = stored;
    if (guest.user_email.toLowerCase() === email || key === name) return stored;
    if (guest.event_tickets.some((ticket) => ticket.id === name)) return stored;
  }
  return undefined;
}

function getGuestOf(event: EventState, name: string): StoredGuest {
  const stored = findGuestOf(event, name);
  if (stored === undefined) throw new ServiceError("not_found", "Guest not found");
  return stored;
}

function withTickets(
  { newId }: Surroundings,
  stored: StoredGuest,
  types: TicketType[],
  status: ApprovalStatus,
): StoredGuest {
  const tickets = types.map((type) => ticketOf(newId("tkt"), type));
  const event_tickets = [...stored.guest.event_tickets, ...tickets];
  return { ...stored, guest: { ...stored.guest, approval_status: status, event_tickets } };
}

function defaultTypes(event: EventState): TicketType[] {
  return [...event.ticketTypes.values()].filter(({ is_hidden }) => !is_hidden).slice(0, 1);
}

function ticketOf(id: string, type: TicketType): Ticket {
  return {
    id,
    name: type.name,
    amount: type.cents ?? 0,
    amount_discount: 0,
    amount_tax: 0,
    currency: type.currency,
    checked_in_at: null,
    event_ticket_type_id: type.id,
    is_captured: type.type === "paid",
  };
}

function refunded(ticket: Ticket): Ticket {
  return { ...ticket, is_captured: false };
}

function ordersOf({ event_tickets: tickets }: Guest): object[] {
  return tickets.map(({ id, amount, amount_discount, amount_tax, currency, is_captured, event_ticket_type_id }) => ({
    id: id.replace(/^tkt-/, "ord-"),
    amount,
    amount_discount,
    amount_tax,
    currency,
    is_captured,
    event_ticket_type_id,
  }));
}

const subjects: Record<string, string> = {
  guest_added: "You are registered for",
  guest_approved: "Your registration was approved:",
  guest_declined: "Your registration was declined:",
  guest_pending_approval: "Your registration is pending:",
  guest_waitlist: "You are on the waitlist of",
};

function mailTo({ now, newId }: Surroundings, { event }: EventState, guest: Guest, kind: string): Change {
  const subject = `${subjects[kind] ?? ""} ${event.name}`.trim();
  const sent_at = now().toISOString();
  return {
    kind: "mail",
    mail: { id: newId("mail"), sent_at, event_id: event.id, to: guest.user_email, kind, subject },
  };
}

type SortColumn = z.output<typeof listFields>["sort_column"];

function orderBy(column: SortColumn, direction: string): (a: Guest, b: Guest) => number {
  const sign = direction.startsWith("desc") ? -1 : 1;
  return (a, b) => {
    const [left, right] = [sortValue(a, column), sortValue(b, column)];
    if (left === right) return a.id < b.id ? -1 : 1;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -sign : sign;
  };
}

function sortValue(guest: Guest, column: SortColumn): string | null {
  if (column === "name") return guest.user_name?.toLowerCase() ?? null;
  if (column === "email") return guest.user_email.toLowerCase();
  return column === "checked_in_at" ? guest.checked_in_at : guest.registered_at;
}
