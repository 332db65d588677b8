import type { Scope } from "../access/scopes.js";
import type { Method } from "../route.js";

/** One call of the external platform: where it is, and where the event id travels in it. */
export type Call = {
  method: "GET" | "POST";
  path: string;
  summary: string;
  scope: Scope;
  event: EventPlace;
  /** The call is about one ticket type, named by `event_ticket_type_id`, which has to be one of the event's. */
  aboutTicketType?: true;
  /** What else a query string may hold and is passed on. Fields of a body are passed on whether known here or not. */
  parameters: readonly string[];
  /** Names of one thing: at most one of them is given. */
  aliases?: readonly string[];
};

/** The names under which callers may give the event id, exactly one of them, and the one under which it is sent on. */
export type EventPlace = { names: readonly string[]; sentAs: string | null };

export type Operation = { method: Method; path: string; call: Call };

export const ticketTypeField = "event_ticket_type_id";

const asId: EventPlace = { names: ["id", "api_id", "event_id"], sentAs: "id" };
const asEventId: EventPlace = { names: ["event_id", "event_api_id"], sentAs: "event_id" };
const onlyChecked: EventPlace = { names: ["event_id", "event_api_id"], sentAs: null };
const paging = ["pagination_cursor", "pagination_limit"];

const guestNames = ["id", "api_id", "email", "proxy_key"];

const calls = {
  getEvent: {
    method: "GET",
    path: "event/get",
    summary: "get event details",
    scope: "org:read",
    event: asId,
    parameters: [],
  },
  getGuests: {
    method: "GET",
    path: "event/get-guests",
    summary: "list event guests",
    scope: "registrations:read",
    event: asEventId,
    parameters: ["approval_status", "sort_column", "sort_direction", ...paging],
  },
  getGuest: {
    method: "GET",
    path: "event/get-guest",
    summary: "get one guest",
    scope: "registrations:read",
    event: asEventId,
    parameters: guestNames,
    aliases: guestNames,
  },
  addGuests: {
    method: "POST",
    path: "event/add-guests",
    summary: "add guests to the event; skips payment and approval, and sends e-mail",
    scope: "registrations:write",
    event: asEventId,
    parameters: [],
  },
  updateGuestStatus: {
    method: "POST",
    path: "event/update-guest-status",
    summary: "update a guest's status; sends e-mail",
    scope: "registrations:write",
    event: asEventId,
    parameters: [],
  },
  listTicketTypes: {
    method: "GET",
    path: "event/ticket-types/list",
    summary: "list ticket types",
    scope: "registrations:write",
    event: asEventId,
    parameters: ["include_hidden"],
  },
  getTicketType: {
    method: "GET",
    path: "event/ticket-types/get",
    summary: "get one ticket type",
    scope: "registrations:write",
    event: onlyChecked,
    aboutTicketType: true,
    parameters: [ticketTypeField],
  },
  createTicketType: {
    method: "POST",
    path: "event/ticket-types/create",
    summary: "create a ticket type",
    scope: "registrations:write",
    event: asEventId,
    parameters: [],
  },
  updateTicketType: {
    method: "POST",
    path: "event/ticket-types/update",
    summary: "update a ticket type",
    scope: "registrations:write",
    event: onlyChecked,
    aboutTicketType: true,
    parameters: [],
  },
  deleteTicketType: {
    method: "POST",
    path: "event/ticket-types/delete",
    summary: "delete a ticket type",
    scope: "registrations:write",
    event: onlyChecked,
    aboutTicketType: true,
    parameters: [ticketTypeField],
  },
  listCoupons: {
    method: "GET",
    path: "event/coupons",
    summary: "list coupon codes",
    scope: "registrations:write",
    event: asEventId,
    parameters: paging,
  },
  createCoupon: {
    method: "POST",
    path: "event/create-coupon",
    summary: "create a coupon code",
    scope: "registrations:write",
    event: asEventId,
    parameters: [],
  },
  updateCoupon: {
    method: "POST",
    path: "event/update-coupon",
    summary: "update a coupon code; its discount cannot be changed",
    scope: "registrations:write",
    event: asEventId,
    parameters: [],
  },
} as const satisfies Record<string, Call>;

export const listTicketTypesCall: Call = calls.listTicketTypes;

/** All that goes through the proxy: a path and method that is not here is never forwarded. */
export const operations: readonly Operation[] = [
  { method: "GET", path: "event/get", call: calls.getEvent },
  { method: "GET", path: "event/get-guests", call: calls.getGuests },
  { method: "GET", path: "event/get-guest", call: calls.getGuest },
  { method: "POST", path: "event/add-guests", call: calls.addGuests },
  { method: "POST", path: "event/update-guest-status", call: calls.updateGuestStatus },
  { method: "GET", path: "event/ticket-types", call: calls.listTicketTypes },
  { method: "POST", path: "event/ticket-types", call: calls.createTicketType },
  { method: "PUT", path: "event/ticket-types", call: calls.updateTicketType },
  { method: "PATCH", path: "event/ticket-types", call: calls.updateTicketType },
  { method: "DELETE", path: "event/ticket-types", call: calls.deleteTicketType },
  { method: "GET", path: "event/ticket-types/list", call: calls.listTicketTypes },
  { method: "GET", path: "event/ticket-types/get", call: calls.getTicketType },
  { method: "POST", path: "event/ticket-types/create", call: calls.createTicketType },
  { method: "POST", path: "event/ticket-types/update", call: calls.updateTicketType },
  { method: "POST", path: "event/ticket-types/delete", call: calls.deleteTicketType },
  { method: "GET", path: "event/coupons", call: calls.listCoupons },
  { method: "POST", path: "event/coupons", call: calls.createCoupon },
  { method: "PUT", path: "event/coupons", call: calls.updateCoupon },
  { method: "PATCH", path: "event/coupons", call: calls.updateCoupon },
  { method: "POST", path: "event/create-coupon", call: calls.createCoupon },
  { method: "POST", path: "event/update-coupon", call: calls.updateCoupon },
];

export const proxyMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const operationsByPath = new Map<string, Operation[]>();
for (const operation of operations) {
  operationsByPath.set(operation.path, [...(operationsByPath.get(operation.path) ?? []), operation]);
}

/** Compares the path as it arrived, byte for byte: nothing is decoded or tidied first, so no other spelling matches. */
export function operationsOf(path: string): readonly Operation[] {
  return operationsByPath.get(path) ?? [];
}
