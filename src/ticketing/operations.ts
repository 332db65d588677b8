import type { Role } from "../access/roles.js";
import type { Scope } from "../access/scopes.js";
import type { Method } from "../route.js";

/** Every path of the proxy starts with this. */
export const ticketingPrefix = "/api/ticketing";

/** A call of the external platform's API. */
export type UpstreamCall = {
  method: "GET" | "POST";
  path: string;
  summary: string;
  scope: Scope;
  /** The least role, in the organization, of the user that the key acts for. */
  role: Role;
  event: EventIdField;
  /** The call requires `event_ticket_type_id`, which must be a ticket type of the event. */
  requiresTicketType?: true;
  /** Query parameters that are passed on; others are dropped. Body fields are passed on whether known or not. */
  parameters: readonly string[];
  /** Parameters of which at most one may be given. */
  exclusiveParameters?: readonly string[];
  /** Parameters that may hold a guest's ticket key. */
  ticketKeyParameters?: readonly string[];
};

/** The names that callers may use for the event id, exactly one per request, and the name that the platform expects. */
export type EventIdField = { names: readonly string[]; sentAs: string | null };

export type TicketingOperation = {
  method: Method;
  path: string;
  /** The path without the prefix, as it appears in mutation records. */
  subpath: string;
  call: UpstreamCall;
};

export const ticketTypeField = "event_ticket_type_id";

const asId: EventIdField = { names: ["id", "api_id", "event_id"], sentAs: "id" };
const asEventId: EventIdField = { names: ["event_id", "event_api_id"], sentAs: "event_id" };
const notSent: EventIdField = { names: ["event_id", "event_api_id"], sentAs: null };
const paging = ["pagination_cursor", "pagination_limit"];

const guestIdentifiers = ["id", "api_id", "email", "proxy_key"];

const calls = {
  getEvent: {
    method: "GET",
    path: "event/get",
    summary: "get event details",
    scope: "org:read",
    role: "member",
    event: asId,
    parameters: [],
  },
  getGuests: {
    method: "GET",
    path: "event/get-guests",
    summary: "list event guests",
    scope: "registrations:read",
    role: "member",
    event: asEventId,
    parameters: ["approval_status", "sort_column", "sort_direction", ...paging],
  },
  getGuest: {
    method: "GET",
    path: "event/get-guest",
    summary: "get one guest",
    scope: "registrations:read",
    role: "member",
    event: asEventId,
    parameters: guestIdentifiers,
    exclusiveParameters: guestIdentifiers,
    ticketKeyParameters: ["id", "api_id", "proxy_key"],
  },
  addGuests: {
    method: "POST",
    path: "event/add-guests",
    summary: "add guests to the event; skips payment and approval, and sends e-mail",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
  },
  updateGuestStatus: {
    method: "POST",
    path: "event/update-guest-status",
    summary: "update a guest's status; sends e-mail",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
  },
  listTicketTypes: {
    method: "GET",
    path: "event/ticket-types/list",
    summary: "list ticket types",
    scope: "registrations:write",
    role: "member",
    event: asEventId,
    parameters: ["include_hidden"],
  },
  getTicketType: {
    method: "GET",
    path: "event/ticket-types/get",
    summary: "get one ticket type",
    scope: "registrations:write",
    role: "member",
    event: notSent,
    requiresTicketType: true,
    parameters: [ticketTypeField],
  },
  createTicketType: {
    method: "POST",
    path: "event/ticket-types/create",
    summary: "create a ticket type",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
  },
  updateTicketType: {
    method: "POST",
    path: "event/ticket-types/update",
    summary: "update a ticket type",
    scope: "registrations:write",
    role: "admin",
    event: notSent,
    requiresTicketType: true,
    parameters: [],
  },
  deleteTicketType: {
    method: "POST",
    path: "event/ticket-types/delete",
    summary: "delete a ticket type",
    scope: "registrations:write",
    role: "admin",
    event: notSent,
    requiresTicketType: true,
    parameters: [ticketTypeField],
  },
  listCoupons: {
    method: "GET",
    path: "event/coupons",
    summary: "list coupon codes",
    scope: "registrations:write",
    role: "member",
    event: asEventId,
    parameters: paging,
  },
  createCoupon: {
    method: "POST",
    path: "event/create-coupon",
    summary: "create a coupon code",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
  },
  updateCoupon: {
    method: "POST",
    path: "event/update-coupon",
    summary: "update a coupon code; its discount cannot be changed",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
  },
} as const satisfies Record<string, UpstreamCall>;

export const listTicketTypesCall: UpstreamCall = calls.listTicketTypes;

/** Everything the proxy forwards; no other path or method reaches the platform. */
export const ticketingOperations: readonly TicketingOperation[] = [
  operation("GET", "event/get", calls.getEvent),
  operation("GET", "event/get-guests", calls.getGuests),
  operation("GET", "event/get-guest", calls.getGuest),
  operation("POST", "event/add-guests", calls.addGuests),
  operation("POST", "event/update-guest-status", calls.updateGuestStatus),
  operation("GET", "event/ticket-types", calls.listTicketTypes),
  operation("POST", "event/ticket-types", calls.createTicketType),
  operation("PUT", "event/ticket-types", calls.updateTicketType),
  operation("PATCH", "event/ticket-types", calls.updateTicketType),
  operation("DELETE", "event/ticket-types", calls.deleteTicketType),
  operation("GET", "event/ticket-types/list", calls.listTicketTypes),
  operation("GET", "event/ticket-types/get", calls.getTicketType),
  operation("POST", "event/ticket-types/create", calls.createTicketType),
  operation("POST", "event/ticket-types/update", calls.updateTicketType),
  operation("POST", "event/ticket-types/delete", calls.deleteTicketType),
  operation("GET", "event/coupons", calls.listCoupons),
  operation("POST", "event/coupons", calls.createCoupon),
  operation("PUT", "event/coupons", calls.updateCoupon),
  operation("PATCH", "event/coupons", calls.updateCoupon),
  operation("POST", "event/create-coupon", calls.createCoupon),
  operation("POST", "event/update-coupon", calls.updateCoupon),
];

export const ticketingMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const operationsByPath = new Map<string, TicketingOperation[]>();
for (const operation of ticketingOperations) {
  operationsByPath.set(operation.path, [...(operationsByPath.get(operation.path) ?? []), operation]);
}

/** Expects the path as received: nothing is decoded or normalized, so no other spelling of a path matches. */
export function findOperations(path: string): readonly TicketingOperation[] {
  return operationsByPath.get(path) ?? [];
}

function operation(method: Method, subpath: string, call: UpstreamCall): TicketingOperation {
  return { method, path: `${ticketingPrefix}/${subpath}`, subpath, call };
}
