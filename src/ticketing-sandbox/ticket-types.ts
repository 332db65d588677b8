import { z } from "zod";
import { ServiceError } from "../platform/errors.js";
import { eventOf, type Fields, instant, parseFields, type SandboxCall, type Surroundings } from "./call.js";
import type { TicketType } from "./records.js";
import type { EventState } from "./state.js";

export const listTicketTypes: SandboxCall = {
  method: "GET",
  run(surroundings, fields) {
    const event = eventOf(surroundings, fields);
    const withHidden = fields.include_hidden === "true";
    return { body: { ticket_types: [...event.ticketTypes.values()].filter((type) => withHidden || !type.is_hidden) } };
  },
};

export const getTicketType: SandboxCall = {
  method: "GET",
  run: (surroundings, fields) => ({ body: { ticket_type: findTicketType(surroundings, fields).type } }),
};

export const createTicketType: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const { event } = eventOf(surroundings, fields);
    const wanted = parseFields(newTicketType, fields);
    const ticket_type = makeTicketType(surroundings.newId("evtticktyp"), wanted);
    return { body: { ticket_type }, changes: [{ kind: "ticket_type", event_id: event.id, ticket_type }] };
  },
};

export const updateTicketType: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const { event, type } = findTicketType(surroundings, fields);
    const ticket_type = checkPrice({ ...type, ...withoutUndefined(parseFields(changedTicketType, fields)) });
    if (ticket_type.is_hidden) refuseLastVisible(event, type, "hide");
    return { body: { ticket_type }, changes: [{ kind: "ticket_type", event_id: event.event.id, ticket_type }] };
  },
};

export const deleteTicketType: SandboxCall = {
  method: "POST",
  run(surroundings, fields) {
    const { event, type } = findTicketType(surroundings, fields);
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
    .regex(/^[a-z]{3}$/, { error: "expects a lower-case currency such as usd" })
    .nullable()
    .optional(),
  require_approval: z.boolean().optional(),
  is_hidden: z.boolean().optional(),
  description: z.string().nullable().optional(),
  valid_start_at: instant.nullable().optional(),
  valid_end_at: instant.nullable().optional(),
  max_capacity: z.int().min(0).nullable().optional(),
  is_flexible: z.boolean().optional(),
  min_cents: z.int().min(0).nullable().optional(),
};

export const newTicketType = z.object(shape);
const changedTicketType = z.object({ ...shape, name: shape.name.optional(), type: shape.type.optional() });

export function makeTicketType(id: string, wanted: z.output<typeof newTicketType>): TicketType {
  return checkPrice({
    id,
    name: wanted.name,
    type: wanted.type,
    cents: wanted.cents ?? null,
    currency: wanted.currency ?? null,
    require_approval: wanted.require_approval ?? false,
    is_hidden: wanted.is_hidden ?? false,
    description: wanted.description ?? null,
    valid_start_at: wanted.valid_start_at ?? null,
    valid_end_at: wanted.valid_end_at ?? null,
    max_capacity: wanted.max_capacity ?? null,
    is_flexible: wanted.is_flexible ?? false,
    min_cents: wanted.min_cents ?? null,
  });
}

/** The platform takes a ticket type without its event: whoever has the key reaches every one of them. */
function findTicketType({ state }: Surroundings, fields: Fields): { event: EventState; type: TicketType } {
  const id = fields.event_ticket_type_id;
  if (typeof id !== "string" || id === "") throw new ServiceError("invalid_input", "Missing ticket type identifier");
  for (const event of state.events.values()) {
    const type = event.ticketTypes.get(id);
    if (type !== undefined) return { event, type };
  }
  throw new ServiceError("not_found", "Ticket type not found");
}

function checkPrice(type: TicketType): TicketType {
  if (type.type === "free") return { ...type, cents: null, currency: null };
  if (type.cents === null || type.currency === null) {
    throw new ServiceError("invalid_input", "A paid ticket type needs cents and currency");
  }
  return type;
}

function refuseLastVisible(event: EventState, type: TicketType, verb: string): void {
  const othersVisible = [...event.ticketTypes.values()].some(({ id, is_hidden }) => id !== type.id && !is_hidden);
  if (!type.is_hidden && !othersVisible) {
    throw new ServiceError("invalid_input", `Cannot ${verb} the last visible ticket type`);
  }
}

function withoutUndefined(value: Fields): Partial<TicketType> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
