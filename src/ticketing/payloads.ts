import { z } from "zod";

/**
 * The platform's fields as its API documents them. They describe requests and responses in documents and are not checked:
 * the platform checks its own fields and may add some.
 */

const money = z.int().min(0).meta({ description: "in minor units, such as cents" });
const currency = z.string().meta({ description: "lower-case code, such as eur" });
const time = z.iso.datetime({ offset: true });
const ticketTypeId = z.string().meta({ description: "id of a ticket type of the event" });
const empty = z.looseObject({});

/** Query parameters by name. */
export const queryFields = z.object({
  approval_status: z.enum(["approved", "session", "pending_approval", "invited", "declined", "waitlist"]),
  sort_column: z.enum(["name", "email", "created_at", "registered_at", "checked_in_at"]),
  sort_direction: z.enum(["asc", "desc", "asc nulls last", "desc nulls last"]),
  pagination_cursor: z.string().meta({ description: "`next_cursor` of the previous page" }),
  pagination_limit: z.int().min(1).meta({ description: "entries per page" }),
  id: z.string().meta({ description: "the guest: `gst-…`, a ticket key or an e-mail address" }),
  api_id: z.string().meta({ description: "the guest's id, under its older name" }),
  email: z.string().meta({ description: "the guest's e-mail address" }),
  proxy_key: z.string().meta({ description: "the guest's ticket key" }),
  include_hidden: z.boolean(),
  event_ticket_type_id: ticketTypeId,
});

const choice = z.object({ event_ticket_type_id: ticketTypeId });

const ticketTypeFields = {
  cents: money.nullable().optional().meta({ description: "price in minor units; required for a paid type" }),
  currency: currency.nullable().optional(),
  require_approval: z.boolean().optional(),
  is_hidden: z.boolean().optional(),
  description: z.string().nullable().optional(),
  valid_start_at: time.nullable().optional(),
  valid_end_at: time.nullable().optional(),
  max_capacity: z.int().min(0).nullable().optional(),
  is_flexible: z.boolean().optional().meta({ description: "whether guests choose the price" }),
  min_cents: z.int().min(0).nullable().optional().meta({ description: "the least price that guests may choose" }),
};

const couponLimits = {
  code: z.string().min(1).max(20).meta({ description: "not case-sensitive; unique per event" }),
  remaining_count: z.int().min(0).optional().meta({ description: "how often it can still be used" }),
  valid_start_at: time.nullable().optional(),
  valid_end_at: time.nullable().optional(),
};

/** Bodies of the writes, without the event id, which every one of them has. */
export const bodies = {
  addGuests: z.looseObject({
    guests: z.array(z.object({ email: z.email(), name: z.string().optional() })).min(1),
    ticket: choice.optional().meta({ description: "the ticket that every guest gets; not together with `tickets`" }),
    tickets: z.array(choice).optional(),
    approval_status: queryFields.shape.approval_status.optional().meta({ description: "approved if omitted" }),
    send_email: z.boolean().optional().meta({ description: "true if omitted" }),
  }),
  updateGuestStatus: z.looseObject({
    guest: z.union([
      z.object({ type: z.literal("email"), email: z.email() }),
      z.object({ type: z.literal("api_id"), api_id: z.string() }),
    ]),
    status: z.enum(["approved", "declined", "pending_approval", "waitlist"]),
    should_refund: z.boolean().optional().meta({ description: "refunds a paid ticket when the guest is declined" }),
  }),
  createTicketType: z.looseObject({ name: z.string().min(1), type: z.enum(["free", "paid"]), ...ticketTypeFields }),
  updateTicketType: z.looseObject({
    event_ticket_type_id: ticketTypeId,
    name: z.string().min(1).optional(),
    type: z.enum(["free", "paid"]).optional(),
    ...ticketTypeFields,
  }),
  deleteTicketType: z.looseObject({ event_ticket_type_id: ticketTypeId }),
  createCoupon: z.looseObject({
    ...couponLimits,
    discount: z.union([
      z.object({ discount_type: z.literal("percent"), percent_off: z.number().min(0).max(100) }),
      z.object({ discount_type: z.literal("amount"), cents_off: z.int().min(1), currency }),
    ]),
  }),
  updateCoupon: z.looseObject(couponLimits),
} as const;

const ticket = z.looseObject({
  id: z.string(),
  name: z.string(),
  amount: money,
  amount_discount: money,
  amount_tax: money,
  currency: currency.nullable(),
  checked_in_at: time.nullable(),
  event_ticket_type_id: z.string(),
  is_captured: z.boolean(),
});

const guest = z
  .looseObject({
    id: z.string(),
    user_id: z.string(),
    user_email: z.string(),
    user_name: z.string().nullable(),
    approval_status: queryFields.shape.approval_status,
    check_in_qr_code: z.string().meta({ description: "a credential: it admits whoever presents it" }),
    registered_at: time.nullable(),
    registration_answers: z.array(z.looseObject({ label: z.string() })),
    phone_number: z.string().nullable(),
    event_tickets: z.array(ticket),
    checked_in_at: time.nullable(),
  })
  .meta({ id: "TicketingGuest" });

const ticketType = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    type: z.enum(["free", "paid"]),
    cents: money.nullable(),
    currency: currency.nullable(),
    require_approval: z.boolean(),
    is_hidden: z.boolean(),
    description: z.string().nullable(),
    valid_start_at: time.nullable(),
    valid_end_at: time.nullable(),
    max_capacity: z.int().nullable(),
    is_flexible: z.boolean(),
    min_cents: z.int().nullable(),
  })
  .meta({ id: "TicketType" });

const coupon = z
  .looseObject({
    id: z.string(),
    code: z.string(),
    remaining_count: z.int(),
    valid_start_at: time.nullable(),
    valid_end_at: time.nullable(),
    percent_off: z.number().nullable(),
    cents_off: z.int().nullable(),
    currency: currency.nullable(),
  })
  .meta({ id: "Coupon" });

const event = z
  .looseObject({
    id: z.string().meta({ description: "the platform's id, `evt-…`" }),
    name: z.string(),
    start_at: time,
    end_at: time,
    timezone: z.string(),
    description: z.string().nullable(),
    meeting_url: z.string().nullable(),
    cover_url: z.string().nullable(),
    url: z.string(),
    visibility: z.enum(["public", "members-only", "private"]),
  })
  .meta({ id: "TicketingEvent" });

const entries = (item: z.ZodType) =>
  z.looseObject({
    entries: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().optional().meta({ description: "absent on the last page" }),
  });

export const responses = {
  event: z.looseObject({ event, hosts: z.array(z.looseObject({ id: z.string(), name: z.string().nullable() })) }),
  guests: entries(guest),
  guest: z.looseObject({ guest }),
  ticketTypes: z.looseObject({ ticket_types: z.array(ticketType) }),
  ticketType: z.looseObject({ ticket_type: ticketType }),
  coupons: entries(coupon),
  coupon: z.looseObject({ coupon }),
  empty,
} as const;
