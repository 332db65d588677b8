import type { Role } from "../../../contract/roles.js";
import type { Scope } from "../../../contract/scopes.js";

/** The contract as a literal table: what may be called, with which scope and role, and what the platform receives. */
export type ExpectedOperation = {
  method: string;
  path: string;
  scope: Scope;
  /** The least role of the key's user. */
  role: Role;
  upstream: string;
  /** The field in which the platform receives the event id; null if it does not. */
  sentAs: string | null;
  needsTicketType: boolean;
};

export const ticketTypeId = "evtticktyp-mine";

function table(text: string): ExpectedOperation[] {
  return text.trim().split("\n").map(row);
}

function row(line: string): ExpectedOperation {
  const [method = "", path = "", scope, role, upstreamMethod, upstreamPath, sentAs, ticketType] = line
    .trim()
    .split(/\s+/);
  return {
    method,
    path,
    scope: scope as Scope,
    role: role as Role,
    upstream: `${upstreamMethod} /v1/${upstreamPath}`,
    sentAs: sentAs === "-" || sentAs === undefined ? null : sentAs,
    needsTicketType: ticketType === "ticket-type",
  };
}

export const expectedOperations: ExpectedOperation[] = table(`
  GET    event/get                   org:read             member  GET  event/get                   id
  GET    event/get-guests            registrations:read   member  GET  event/get-guests            event_id
  GET    event/get-guest             registrations:read   member  GET  event/get-guest             event_id
  POST   event/add-guests            registrations:write  admin   POST event/add-guests            event_id
  POST   event/update-guest-status   registrations:write  admin   POST event/update-guest-status   event_id
  GET    event/ticket-types          registrations:read   member  GET  event/ticket-types/list     event_id
  POST   event/ticket-types          registrations:write  admin   POST event/ticket-types/create   event_id
  PUT    event/ticket-types          registrations:write  admin   POST event/ticket-types/update   -         ticket-type
  PATCH  event/ticket-types          registrations:write  admin   POST event/ticket-types/update   -         ticket-type
  DELETE event/ticket-types          registrations:write  admin   POST event/ticket-types/delete   -         ticket-type
  GET    event/ticket-types/list     registrations:read   member  GET  event/ticket-types/list     event_id
  GET    event/ticket-types/get      registrations:read   member  GET  event/ticket-types/get      -         ticket-type
  POST   event/ticket-types/create   registrations:write  admin   POST event/ticket-types/create   event_id
  POST   event/ticket-types/update   registrations:write  admin   POST event/ticket-types/update   -         ticket-type
  POST   event/ticket-types/delete   registrations:write  admin   POST event/ticket-types/delete   -         ticket-type
  GET    event/coupons               registrations:read   member  GET  event/coupons               event_id
  POST   event/coupons               registrations:write  admin   POST event/create-coupon         event_id
  PUT    event/coupons               registrations:write  admin   POST event/update-coupon         event_id
  PATCH  event/coupons               registrations:write  admin   POST event/update-coupon         event_id
  POST   event/create-coupon         registrations:write  admin   POST event/create-coupon         event_id
  POST   event/update-coupon         registrations:write  admin   POST event/update-coupon         event_id`);

/** With TICKETING_PATHS=literal. */
export const expectedLiteralOperations: ExpectedOperation[] = table(`
  GET    event/get                   org:read             member  GET    event/get                   id
  GET    event/get-guests            registrations:read   member  GET    event/get-guests            event_id
  GET    event/get-guest             registrations:read   member  GET    event/get-guest             event_id
  POST   event/add-guests            registrations:write  admin   POST   event/add-guests            event_id
  POST   event/update-guest-status   registrations:write  admin   POST   event/update-guest-status   event_id
  GET    event/ticket-types          registrations:read   member  GET    event/ticket-types          event_id
  POST   event/ticket-types          registrations:write  admin   POST   event/ticket-types          event_id
  PUT    event/ticket-types          registrations:write  admin   PUT    event/ticket-types          event_id  ticket-type
  PATCH  event/ticket-types          registrations:write  admin   PATCH  event/ticket-types          event_id  ticket-type
  DELETE event/ticket-types          registrations:write  admin   DELETE event/ticket-types          event_id  ticket-type
  GET    event/coupons               registrations:read   member  GET    event/coupons               event_id
  POST   event/coupons               registrations:write  admin   POST   event/coupons               event_id`);

export const paths = [...new Set(expectedOperations.map(({ path }) => path))];
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A request for this operation on the given event; without an event id if it is undefined. */
export function requestFor(row: ExpectedOperation, event: string | undefined, field = "event_id") {
  const fields = {
    ...(event === undefined ? {} : { [field]: event }),
    ...(row.needsTicketType ? { event_ticket_type_id: ticketTypeId } : {}),
  };
  if (row.method === "GET") {
    return { path: `${row.path}?${new URLSearchParams(fields)}`, options: { method: "GET" } };
  }
  return { path: row.path, options: { method: row.method, body: { ...fields, note: "passed on" } } };
}
