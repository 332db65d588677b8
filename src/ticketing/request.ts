import { fieldError, type ServiceError } from "../../contract/errors.js";
import { storable } from "../../contract/schema/fields.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { uuidPattern } from "../infra/ids.js";
import { parseJson } from "../infra/parse-json.js";
import type { Method } from "../route.js";
import { type TicketingOperation, ticketTypeField, type UpstreamCall } from "./operations.js";

/** A caller's request without its event id, which `buildUpstreamRequest` adds back as the platform's id. */
export type TicketingRequest = {
  eventReference: string;
  /** Every ticket type id in the request, at any depth. */
  ticketTypeIds: string[];
  /** UUIDs in other fields, each with a field that has it. They are forwarded unchanged, so none may be an event's. */
  otherUuids: Map<string, string>;
  fields: Record<string, unknown>;
  fieldsIn: "query" | "body";
  /** Query parameters that are not passed on. */
  ignoredParameters: string[];
};

export type RawTicketingRequest = { query: string; body: Uint8Array | null };

export type UpstreamRequest = { method: Method; path: string; query: string; body: string | null };

const maxIdLength = 200;
export const unexpectedEventId = "expected no event id here; give the event once, as event_id";

/** Reads take their fields from the query, writes from the body; a DELETE takes either, but not both. */
export function parseTicketingRequest(operation: TicketingOperation, raw: RawTicketingRequest): TicketingRequest {
  const { call } = operation;
  const query = parseQueryString(raw.query);
  refuseSecrets(Object.fromEntries(query), {
    isCredential: isCredentialField,
    ticketKeyFields: call.ticketKeyParameters ?? [],
  });
  if (call.method === "GET" || (operation.method === "DELETE" && raw.body === null)) return fromQuery(call, query);
  for (const name of query.keys()) {
    if (resemblesEventField(call, name) || resemblesTicketTypeField(name))
      throw invalid(name, "expected in the body, not in the query");
  }
  return fromBody(call, raw.body, [...query.keys()]);
}

/**
 * Sends exactly one event id, in the field that the table declares; nothing is copied from the raw request. A DELETE has its
 * fields where the caller gave them.
 */
export function buildUpstreamRequest(
  call: UpstreamCall,
  { fields, fieldsIn }: Pick<TicketingRequest, "fields" | "fieldsIn">,
  ticketingEventId: string,
): UpstreamRequest {
  const { method, path } = call;
  const event = call.event.sentAs === null ? {} : { [call.event.sentAs]: ticketingEventId };
  const sent = { ...event, ...fields };
  if (method !== "GET" && (method !== "DELETE" || fieldsIn === "body"))
    return { method, path, query: "", body: JSON.stringify(sent) };
  return { method, path, query: new URLSearchParams(sent as Record<string, string>).toString(), body: null };
}

function parseQueryString(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeQueryPart(equals === -1 ? part : part.slice(0, equals));
    const value = decodeQueryPart(equals === -1 ? "" : part.slice(equals + 1));
    if (/[[\]]/.test(name)) throw invalid(name, "expected a single value, not a list or an object");
    if (parameters.has(name)) throw invalid(name, "expected only once");
    parameters.set(name, value);
  }
  return parameters;
}

function decodeQueryPart(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw invalid("query", "expected valid percent-encoding");
  }
  if (/\p{Cc}/u.test(decoded)) throw invalid("query", "expected no control characters");
  return decoded;
}

function fromQuery(call: UpstreamCall, query: Map<string, string>): TicketingRequest {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (call.event.names.includes(name)) continue;
    if (resemblesEventField(call, name))
      throw invalid(name, `expected the event id as ${call.event.names.join(" or ")}`);
    if (call.parameters.includes(name)) fields[name] = value;
    if (name !== ticketTypeField) refuseEventId(name, value);
  }
  const given = (call.exclusiveParameters ?? []).filter((name) => name in fields);
  if (given.length > 1) throw invalid(given.join(", "), "expected only one of them");
  return {
    eventReference: takeEventReference(call, Object.fromEntries(query)),
    ticketTypeIds: call.requiresTicketType ? [takeTicketTypeId(fields)] : [],
    otherUuids: new Map(Object.entries(fields).flatMap(([name, value]) => (isUuid(value) ? [[value, name]] : []))),
    fields,
    fieldsIn: "query",
    ignoredParameters: [...query.keys()].filter((name) => !call.event.names.includes(name) && !(name in fields)),
  };
}

function fromBody(call: UpstreamCall, bytes: Uint8Array | null, ignoredParameters: string[]): TicketingRequest {
  if (bytes === null || bytes.length === 0) throw invalid("body", "expected a JSON object, got an empty body");
  const body = parseStrictJson(bytes);
  if (!isObject(body)) throw invalid("body", "expected a JSON object");
  refuseSecrets(body, { isCredential: isCredentialField });
  const eventReference = takeEventReference(call, body);
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !call.event.names.includes(name)));
  const ticketTypeIds = new Set<string>();
  const otherUuids = new Map<string, string>();
  const visitor: BodyVisitor = {
    onTicketType: (path, value) => ticketTypeIds.add(takeId(path, value)),
    onUuid: (path, value) => otherUuids.set(value, path),
  };
  inspect(fields, "", visitor, call.requiresTicketType);
  if (call.requiresTicketType) ticketTypeIds.add(takeTicketTypeId(fields));
  return { eventReference, ticketTypeIds: [...ticketTypeIds], otherUuids, fields, fieldsIn: "body", ignoredParameters };
}

function takeEventReference(call: UpstreamCall, fields: Record<string, unknown>): string {
  const given = call.event.names.filter((name) => Object.hasOwn(fields, name));
  const [name] = given;
  if (name === undefined)
    throw invalid(call.event.names.includes("event_id") ? "event_id" : "id", "expected an event id");
  if (given.length > 1) throw invalid(given.join(", "), "expected only one of them");
  return takeId(name, fields[name]);
}

function takeTicketTypeId(fields: Record<string, unknown>): string {
  return takeId(ticketTypeField, fields[ticketTypeField]);
}

function takeId(path: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > maxIdLength || !storable(value)) {
    throw invalid(path, `expected an id, a string of 1 to ${maxIdLength} characters`);
  }
  return value;
}

type BodyVisitor = { onTicketType(path: string, value: unknown): void; onUuid(path: string, value: string): void };

/** Walks every level of a body: refuses event ids and reports ticket types and UUIDs. */
function inspect(value: unknown, path: string, visitor: BodyVisitor, insideTicket = false): void {
  if (typeof value === "string") {
    if (isUuid(value)) visitor.onUuid(path, value);
    if (insideTicket) visitor.onTicketType(path, value);
    else refuseEventId(path, value);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspect(item, `${path}[${index}]`, visitor, insideTicket);
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      inspectField(name, inner, path === "" ? name : `${path}.${name}`, visitor, insideTicket);
    }
  }
}

function inspectField(name: string, value: unknown, path: string, visitor: BodyVisitor, insideTicket: boolean): void {
  if (resemblesEventId(name)) throw invalid(path, unexpectedEventId);
  if (resemblesTicketTypeField(name) || (insideTicket && /^(api)?id$/.test(normalizeName(name)))) {
    for (const id of Array.isArray(value) ? value : [value]) visitor.onTicketType(path, id);
  } else {
    inspect(value, path, visitor, /^(event)?tickets?(types?)?$/.test(normalizeName(name)));
  }
}

/** Case-insensitive, unlike the event reference: a lenient platform could accept other spellings. */
function refuseEventId(path: string, value: string): void {
  if (/^\s*evt-\S*\s*$/i.test(value.normalize("NFKC"))) throw invalid(path, unexpectedEventId);
}

/** Includes other spellings, such as Event_Id, eventId or event_ids, that a lenient platform could accept. */
function resemblesEventField(call: UpstreamCall, name: string): boolean {
  const normalized = normalizeName(name);
  return resemblesEventId(name) || call.event.names.some((known) => normalizeName(known) === normalized);
}

function resemblesEventId(name: string): boolean {
  return /ev(en)?t(api|uu)?(id|key)/.test(normalizeName(name));
}

function resemblesTicketTypeField(name: string): boolean {
  return /tickettype(api|uu)?(id|key)/.test(normalizeName(name));
}

/** Fields of the platform that admit whoever knows their value, and fields that people put keys into. */
function isCredentialField(name: string): boolean {
  return /qrcode|checkin(qr)?code|(proxy|ticket|guest|api)key|^(qr|pk|authorization)$/.test(normalizeName(name));
}

function normalizeName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidPattern.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function invalid(path: string, problem: string): ServiceError {
  return fieldError(path.slice(0, maxIdLength), problem);
}

/** A list of 500 guests with ten fields each. */
const maximumValues = 5_000;

/**
 * Parses JSON that every parser reads alike. Numbers that would change when serialized again and text that not every
 * parser accepts are refused: the platform could read something other than what was checked here.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  return parseJson(bytes, { maximumValues, onString: checkString, onNumber: checkNumber });
}

function checkString(text: string): void {
  if (!storable(text)) throw fieldError("body", "expected valid Unicode without NUL characters");
}

function checkNumber(text: string): void {
  const value = Number(text);
  const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!exact) throw fieldError("body", `expected numbers that fit a 64-bit float, got ${text.slice(0, 40)}`);
}
