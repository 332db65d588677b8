import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import {
  getEventByFields,
  isoTimestamp,
  parseFields,
  type SandboxContext,
  type SandboxFields,
  type SandboxHandler,
} from "./handler.js";
import type { PlatformTicketType } from "./records.js";
import type { SandboxEvent } from "./state.js";

export const listTicketTypes: SandboxHandler = {
  method: "GET",
  handle(context, fields) {
    const event = getEventByFields(context, fields);
    const withHidden = fields.include_hidden === "true";
    return { body: { ticket_types: [...event.ticketTypes.values()].filter((type) => withHidden || !type.is_hidden) } };
  },
};

export const getTicketType: SandboxHandler = {
  method: "GET",
  handle: (context, fields) => ({ body: { ticket_type: getTicketTypeAndEvent(context, fields).type } }),
};

export const createTicketType: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const { event } = getEventByFields(context, fields);
    const input = parseFields(newTicketType, fields);
    const ticket_type = buildTicketType(context.newId("evtticktyp"), input);
    return { body: { ticket_type }, changes: [{ kind: "ticket_type", event_id: event.id, ticket_type }] };
  },
};

export const updateTicketType: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const { event, type } = getTicketTypeAndEvent(context, fields);
    const ticket_type = checkPrice({ ...type, ...withoutUndefined(parseFields(changedTicketType, fields)) });
    if (ticket_type.is_hidden) refuseLastVisible(event, type, "hide");
    return { body: { ticket_type }, changes: [{ kind: "ticket_type", event_id: event.event.id, ticket_type }] };
  },
};

export const deleteTicketType: SandboxHandler = {
  method: "POST",
  handle(context, fields) {
    const { event, type } = getTicketTypeAndEvent(context, fields);
    const sold = [...event.guests.values()].some(({ guest }) =>
      guest.event_tickets.some((ticket) => ticket.event_ticket_type_id === type.id),
    );
    if (sold) throw new ServiceError("invalid_input", "Cannot delete a ticket type that has been sold");
    refuseLastVisible(event, type, "delete");
    return { body: {}, changes: [{ kind: "ticket_type_deleted", event_id: event.event.id, id: type.id }] };
  },
};

const shape = {
  name: z.string().min(1),
  type: z.enum(["free", "paid"]),
  cents: z.int().min(0).nullable().optional(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, { error: "expected a lower-case currency code such as usd" })
    .nullable()
    .optional(),
  require_approval: z.boolean().optional(),
  is_hidden: z.boolean().optional(),
  description: z.string().nullable().optional(),
  valid_start_at: isoTimestamp.nullable().optional(),
  valid_end_at: isoTimestamp.nullable().optional(),
  max_capacity: z.int().min(0).nullable().optional(),
  is_flexible: z.boolean().optional(),
  min_cents: z.int().min(0).nullable().optional(),
};

export const newTicketType = z.object(shape);
const changedTicketType = z.object({ ...shape, name: shape.name.optional(), type: shape.type.optional() });

export function buildTicketType(id: string, input: z.output<typeof newTicketType>): PlatformTicketType {
  return checkPrice({
    id,
    name: input.name,
    type: input.type,
    cents: input.cents ?? null,
    currency: input.currency ?? null,
    require_approval: input.require_approval ?? false,
    is_hidden: input.is_hidden ?? false,
    description: input.description ?? null,
    valid_start_at: input.valid_start_at ?? null,
    valid_end_at: input.valid_end_at ?? null,
    max_capacity: input.max_capacity ?? null,
    is_flexible: input.is_flexible ?? false,
    min_cents: input.min_cents ?? null,
  });
}

/** The platform does not ask for the event: its key reaches the ticket types of all events. */
function getTicketTypeAndEvent(
  { state }: SandboxContext,
  fields: SandboxFields,
): { event: SandboxEvent; type: PlatformTicketType } {
  const id = fields.event_ticket_type_id;
  if (typeof id !== "string" || id === "") throw new ServiceError("invalid_input", "Missing ticket type identifier");
  for (const event of state.events.values()) {
    const type = event.ticketTypes.get(id);
    if (type !== undefined) return { event, type };
  }
  throw new ServiceError("not_found", "Ticket type not found");
}

function checkPrice(type: PlatformTicketType): PlatformTicketType {
  if (type.type === "free") return { ...type, cents: null, currency: null };
  if (type.cents === null || type.currency === null) {
    throw new ServiceError("invalid_input", "A paid ticket type needs cents and currency");
  }
  return type;
}

function refuseLastVisible(event: SandboxEvent, type: PlatformTicketType, verb: string): void {
  const othersVisible = [...event.ticketTypes.values()].some(({ id, is_hidden }) => id !== type.id && !is_hidden);
  if (!type.is_hidden && !othersVisible) {
    throw new ServiceError("invalid_input", `Cannot ${verb} the last visible ticket type`);
  }
}

function withoutUndefined(value: SandboxFields): Partial<PlatformTicketType> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
