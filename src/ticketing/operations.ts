import type { z } from "zod";
import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import type { Config } from "../config.js";
import type { Method } from "../route.js";
import { examples } from "./examples.js";
import { bodies, responses } from "./payloads.js";

/** Every path of the proxy starts with this. */
export const ticketingPrefix = "/api/ticketing";

/** A call of the external platform's API. */
export type UpstreamCall = {
  method: Method;
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
  /** What a write takes besides the event id, and what the platform returns: for documents, not checked. */
  body?: z.ZodObject;
  response: z.ZodObject;
  /** The fields of a request, in the query or in the body, and its response. */
  example: { request: Record<string, unknown>; response: object };
};

/** The names that callers may use for the event id, exactly one per request, and the name that the platform expects. */
export type EventIdField = { names: readonly string[]; sentAs: string | null };

export type TicketingOperation = {
  operationId: string;
  method: Method;
  path: string;
  /** The path without the prefix, as it appears in mutation records. */
  subpath: string;
  call: UpstreamCall;
  /** Not among the paths and methods that every platform has. */
  lumaOnly: boolean;
};

export const ticketTypeField = "event_ticket_type_id";

const asId: EventIdField = { names: ["id", "api_id", "event_id", "event_api_id"], sentAs: "id" };
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
    response: responses.event,
    example: examples.getEvent,
  },
  getGuests: {
    method: "GET",
    path: "event/get-guests",
    summary: "list event guests",
    scope: "registrations:read",
    role: "member",
    event: asEventId,
    parameters: ["approval_status", "sort_column", "sort_direction", ...paging],
    response: responses.guests,
    example: examples.getGuests,
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
    response: responses.guest,
    example: examples.getGuest,
  },
  addGuests: {
    method: "POST",
    path: "event/add-guests",
    summary: "add guests to the event; skips payment and approval, and sends e-mail",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
    body: bodies.addGuests,
    response: responses.empty,
    example: examples.addGuests,
  },
  updateGuestStatus: {
    method: "POST",
    path: "event/update-guest-status",
    summary: "update a guest's status; sends e-mail",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
    body: bodies.updateGuestStatus,
    response: responses.empty,
    example: examples.updateGuestStatus,
  },
  listTicketTypes: {
    method: "GET",
    path: "event/ticket-types/list",
    summary: "list ticket types",
    scope: "registrations:read",
    role: "member",
    event: asEventId,
    parameters: ["include_hidden"],
    response: responses.ticketTypes,
    example: examples.listTicketTypes,
  },
  getTicketType: {
    method: "GET",
    path: "event/ticket-types/get",
    summary: "get one ticket type",
    scope: "registrations:read",
    role: "member",
    event: notSent,
    requiresTicketType: true,
    parameters: [ticketTypeField],
    response: responses.ticketType,
    example: examples.getTicketType,
  },
  createTicketType: {
    method: "POST",
    path: "event/ticket-types/create",
    summary: "create a ticket type",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
    body: bodies.createTicketType,
    response: responses.ticketType,
    example: examples.createTicketType,
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
    body: bodies.updateTicketType,
    response: responses.ticketType,
    example: examples.updateTicketType,
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
    body: bodies.deleteTicketType,
    response: responses.empty,
    example: examples.deleteTicketType,
  },
  listCoupons: {
    method: "GET",
    path: "event/coupons",
    summary: "list coupon codes",
    scope: "registrations:read",
    role: "member",
    event: asEventId,
    parameters: paging,
    response: responses.coupons,
    example: examples.listCoupons,
  },
  createCoupon: {
    method: "POST",
    path: "event/create-coupon",
    summary: "create a coupon code",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
    body: bodies.createCoupon,
    response: responses.coupon,
    example: examples.createCoupon,
  },
  updateCoupon: {
    method: "POST",
    path: "event/update-coupon",
    summary: "update a coupon code; its discount cannot be changed",
    scope: "registrations:write",
    role: "admin",
    event: asEventId,
    parameters: [],
    body: bodies.updateCoupon,
    response: responses.empty,
    example: examples.updateCoupon,
  },
} as const satisfies Record<string, UpstreamCall>;

const lumaOperations: readonly TicketingOperation[] = [
  operation("getTicketingEvent", "GET", "event/get", calls.getEvent),
  operation("listTicketingGuests", "GET", "event/get-guests", calls.getGuests),
  operation("getTicketingGuest", "GET", "event/get-guest", calls.getGuest),
  operation("addTicketingGuests", "POST", "event/add-guests", calls.addGuests),
  operation("updateTicketingGuestStatus", "POST", "event/update-guest-status", calls.updateGuestStatus),
  operation("listTicketTypes", "GET", "event/ticket-types", calls.listTicketTypes),
  operation("createTicketType", "POST", "event/ticket-types", calls.createTicketType),
  operation("updateTicketTypeByPut", "PUT", "event/ticket-types", calls.updateTicketType),
  operation("updateTicketType", "PATCH", "event/ticket-types", calls.updateTicketType),
  operation("deleteTicketType", "DELETE", "event/ticket-types", calls.deleteTicketType),
  lumaOperation("listTicketTypesByPlatformPath", "GET", "event/ticket-types/list", calls.listTicketTypes),
  lumaOperation("getTicketType", "GET", "event/ticket-types/get", calls.getTicketType),
  lumaOperation("createTicketTypeByPlatformPath", "POST", "event/ticket-types/create", calls.createTicketType),
  lumaOperation("updateTicketTypeByPlatformPath", "POST", "event/ticket-types/update", calls.updateTicketType),
  lumaOperation("deleteTicketTypeByPlatformPath", "POST", "event/ticket-types/delete", calls.deleteTicketType),
  operation("listCoupons", "GET", "event/coupons", calls.listCoupons),
  operation("createCoupon", "POST", "event/coupons", calls.createCoupon),
  lumaOperation("updateCouponByPut", "PUT", "event/coupons", calls.updateCoupon),
  lumaOperation("updateCoupon", "PATCH", "event/coupons", calls.updateCoupon),
  lumaOperation("createCouponByPlatformPath", "POST", "event/create-coupon", calls.createCoupon),
  lumaOperation("updateCouponByPlatformPath", "POST", "event/update-coupon", calls.updateCoupon),
];

/** Everything the proxy forwards, by the paths that the platform has; no other path or method reaches it. */
export const ticketingOperations: Record<Config["ticketingPaths"], readonly TicketingOperation[]> = {
  luma: lumaOperations,
  literal: lumaOperations.filter(({ lumaOnly }) => !lumaOnly).map(forwardedAsIs),
};

export const ticketingMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Expects the path as received: nothing is decoded, and no other spelling matches, except with a slash at the end. */
export function findOperations(operations: readonly TicketingOperation[], path: string): readonly TicketingOperation[] {
  const wanted = path.replace(/\/$/, "");
  return operations.filter((operation) => operation.path === wanted);
}

function operation(operationId: string, method: Method, subpath: string, call: UpstreamCall): TicketingOperation {
  return { operationId, method, path: `${ticketingPrefix}/${subpath}`, subpath, call, lumaOnly: false };
}

function lumaOperation(...row: Parameters<typeof operation>): TicketingOperation {
  return { ...operation(...row), lumaOnly: true };
}

/** The event id is always sent: nothing shows that the platform knows the event without it. */
function forwardedAsIs(operation: TicketingOperation): TicketingOperation {
  const { method, subpath, call } = operation;
  const event = { ...call.event, sentAs: call.event.sentAs ?? asEventId.sentAs };
  return { ...operation, call: { ...call, method, path: subpath, event } };
}
