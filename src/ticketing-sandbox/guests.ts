import { createHash } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { getEventByFields, paginate, parseFields, type SandboxContext, type SandboxHandler } from "./handler.js";
import {
  type ApprovalStatus,
  approvalStatuses,
  type PlatformGuest,
  type PlatformTicket,
  type PlatformTicketType,
} from "./records.js";
import type { SandboxChange, SandboxEvent, StoredGuest } from "./state.js";

export const getGuests: SandboxHandler = {
  method: "GET",
  handle(context, fields) {
    const event = getEventByFields(context, fields);
    const input = parseFields(listFields, fields);
    const guests = [...event.guests.values()]
      .map(({ guest }) => guest)
      .filter((guest) => input.approval_status === undefined || guest.approval_status === input.approval_status)
      .sort(orderBy(input.sort_column, input.sort_direction));
    const page = paginate(guests, fields);
    return { body: { ...page, entries: page.entries.map((guest) => ({ ...guest, guest })) } };
  },
};

export const getGuest: SandboxHandler = {
  method: "GET",
  handle(context, fields) {
    const event = getEventByFields(context, fields);
    const identifier = fields.id ?? fields.api_id ?? fields.email ?? fields.proxy_key;
    if (typeof identifier !== "string" || identifier === "")
      throw new ServiceError("invalid_input", "Missing guest identifier");
    const { guest } = getGuestByIdentifier(event, identifier);
    return { body: { guest: { ...guest, event_ticket_orders: ordersOf(guest) } } };
  },
};

/** Skips payment and approval, and sends e-mail to every guest. */
export const addGuests: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const event = getEventByFields(context, fields);
    const input = parseFields(addFields, fields);
    if (input.ticket !== undefined && input.tickets !== undefined) {
      throw new ServiceError("invalid_input", "Provide either ticket or tickets, not both");
    }
    const types = (input.tickets ?? (input.ticket ? [input.ticket] : [])).map(({ event_ticket_type_id: id }) => {
      const type = event.ticketTypes.get(id);
      if (type === undefined) throw new ServiceError("invalid_input", `Ticket type not found: ${id}`);
      return type;
    });
    const changes = input.guests.flatMap(({ email, name }): SandboxChange[] => {
      const known = findGuestByIdentifier(event, email);
      const granted = types.length > 0 || known !== undefined ? types : defaultTypes(event);
      const stored = known
        ? withTickets(context, known, granted, input.approval_status)
        : buildGuest(context, event, { email, name, status: input.approval_status, types: granted });
      const mail = input.send_email ? [mailTo(context, event, stored.guest, "guest_added")] : [];
      return [{ kind: "guest", event_id: event.event.id, ...stored }, ...mail];
    });
    return { body: {}, changes };
  },
};

export const updateGuestStatus: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const event = getEventByFields(context, fields);
    const input = parseFields(statusFields, fields);
    const identifier = input.guest.type === "email" ? input.guest.email : input.guest.api_id;
    const stored = getGuestByIdentifier(event, identifier);
    if (stored.guest.approval_status === input.status) return { body: {} };
    const guest = { ...stored.guest, approval_status: input.status };
    if (input.status === "declined" && input.should_refund) guest.event_tickets = guest.event_tickets.map(refunded);
    const mail = mailTo(context, event, guest, `guest_${input.status}`);
    return { body: {}, changes: [{ kind: "guest", event_id: event.event.id, guest, key: stored.key }, mail] };
  },
};

export type NewGuest = {
  email: string;
  name: string | undefined;
  status: ApprovalStatus;
  types: PlatformTicketType[];
  registeredAt?: string;
  checkedInAt?: string | null;
  answers?: Record<string, unknown>;
  source?: string | null;
};

export function buildGuest({ now, newId }: SandboxContext, event: SandboxEvent, input: NewGuest): StoredGuest {
  const id = newId("gst");
  const key = newId("g");
  const at = input.registeredAt ?? now().toISOString();
  const [first = null, ...others] = input.name?.split(" ") ?? [];
  const checkedInAt = input.checkedInAt ?? null;
  const guest: PlatformGuest = {
    id,
    api_id: id,
    user_id: userId(input.email),
    user_email: input.email,
    user_name: input.name ?? null,
    user_first_name: first,
    user_last_name: others.length === 0 ? null : others.join(" "),
    approval_status: input.status,
    check_in_qr_code: `https://luma.example.com/check-in/${event.event.id}?pk=${key}`,
    invited_at: null,
    joined_at: input.status === "approved" ? at : null,
    registered_at: at,
    registration_answers: Object.entries(input.answers ?? {}).map(([label, value]) => ({
      question_id: label,
      label: label.replaceAll("_", " "),
      value,
    })),
    phone_number: null,
    utm_source: input.source ?? null,
    event_tickets: input.types.map((type) => ({ ...ticketOf(newId("tkt"), type), checked_in_at: checkedInAt })),
    checked_in_at: checkedInAt,
  };
  return { guest, key };
}

/** A person has the same id at every event. */
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

/** A guest is identified by id, e-mail address, key or ticket id. */
function findGuestByIdentifier(event: SandboxEvent, identifier: string): StoredGuest | undefined {
  const byId = event.guests.get(identifier);
  if (byId !== undefined) return byId;
  const email = identifier.toLowerCase();
  for (const stored of event.guests.values()) {
    const { guest, key } = stored;
    if (guest.user_email.toLowerCase() === email || key === identifier) return stored;
    if (guest.event_tickets.some((ticket) => ticket.id === identifier)) return stored;
  }
  return undefined;
}

function getGuestByIdentifier(event: SandboxEvent, identifier: string): StoredGuest {
  const stored = findGuestByIdentifier(event, identifier);
  if (stored === undefined) throw new ServiceError("not_found", "Guest not found");
  return stored;
}

function withTickets(
  { newId }: SandboxContext,
  stored: StoredGuest,
  types: PlatformTicketType[],
  status: ApprovalStatus,
): StoredGuest {
  const tickets = types.map((type) => ticketOf(newId("tkt"), type));
  const event_tickets = [...stored.guest.event_tickets, ...tickets];
  return { ...stored, guest: { ...stored.guest, approval_status: status, event_tickets } };
}

function defaultTypes(event: SandboxEvent): PlatformTicketType[] {
  return [...event.ticketTypes.values()].filter(({ is_hidden }) => !is_hidden).slice(0, 1);
}

function ticketOf(id: string, type: PlatformTicketType): PlatformTicket {
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

function refunded(ticket: PlatformTicket): PlatformTicket {
  return { ...ticket, is_captured: false };
}

function ordersOf({ event_tickets: tickets }: PlatformGuest): object[] {
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

function mailTo(
  { now, newId }: SandboxContext,
  { event }: SandboxEvent,
  guest: PlatformGuest,
  kind: string,
): SandboxChange {
  const subject = `${subjects[kind] ?? ""} ${event.name}`.trim();
  const sent_at = now().toISOString();
  return {
    kind: "mail",
    mail: { id: newId("mail"), sent_at, event_id: event.id, to: guest.user_email, kind, subject },
  };
}

type SortColumn = z.output<typeof listFields>["sort_column"];

function orderBy(column: SortColumn, direction: string): (a: PlatformGuest, b: PlatformGuest) => number {
  const sign = direction.startsWith("desc") ? -1 : 1;
  return (a, b) => {
    const [left, right] = [sortValue(a, column), sortValue(b, column)];
    if (left === right) return a.id < b.id ? -1 : 1;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -sign : sign;
  };
}

function sortValue(guest: PlatformGuest, column: SortColumn): string | null {
  if (column === "name") return guest.user_name?.toLowerCase() ?? null;
  if (column === "email") return guest.user_email.toLowerCase();
  return column === "checked_in_at" ? guest.checked_in_at : guest.registered_at;
}
