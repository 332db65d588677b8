import { ServiceError } from "../platform/errors.js";
import { uuidPattern } from "../platform/ids.js";
import { storable } from "../schema/fields.js";
import { type Call, type Operation, ticketTypeField } from "./operations.js";
import { parseStrictJson } from "./strict-json.js";

/** What a caller asks for, with the event id taken out: it is put back, as the platform's, by `forwardedRequest`. */
export type TicketingRequest = {
  eventReference: string;
  /** Every ticket type that the request names, wherever it does. */
  ticketTypeIds: string[];
  /** Values elsewhere that could be events of this service: they are not swapped, so they must not be events. */
  otherUuids: string[];
  fields: Record<string, unknown>;
};

export type RawInput = { query: string; body: Uint8Array | null };

export type ForwardedRequest = { method: "GET" | "POST"; path: string; query: string; body: string | null };

const longestId = 200;
const eventNamedTwice = "expects no event id here: the event is named once, by event_id";

/** Reads go by their query, writes by their body; a DELETE may use either, but not both. */
export function readRequest(operation: Operation, raw: RawInput): TicketingRequest {
  const { call } = operation;
  const query = parseQuery(raw.query);
  if (call.method === "GET" || (operation.method === "DELETE" && raw.body === null)) return readQuery(call, query);
  for (const name of query.keys()) {
    if (isEventName(call, name) || isTicketTypeName(name))
      throw refusal(name, "expects to be in the body, not in the query");
  }
  return readBody(call, raw.body);
}

/** Exactly one event id leaves the service, in the field that the table names; nothing is copied from the raw request. */
export function forwardedRequest(
  call: Call,
  fields: Record<string, unknown>,
  ticketingEventId: string,
): ForwardedRequest {
  const event = call.event.sentAs === null ? {} : { [call.event.sentAs]: ticketingEventId };
  const sent = { ...event, ...fields };
  if (call.method === "POST") return { method: "POST", path: call.path, query: "", body: JSON.stringify(sent) };
  const query = new URLSearchParams(sent as Record<string, string>).toString();
  return { method: "GET", path: call.path, query, body: null };
}

function parseQuery(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (/[[\]]/.test(name)) throw refusal(name, "expects a plain parameter, not a list or an object");
    if (parameters.has(name)) throw refusal(name, "expects to be given once");
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ServiceError("invalid_input", "query: expects valid percent-encoding");
  }
  if (/\p{Cc}/u.test(decoded)) throw new ServiceError("invalid_input", "query: expects no control characters");
  return decoded;
}

function readQuery(call: Call, query: Map<string, string>): TicketingRequest {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (call.event.names.includes(name)) continue;
    if (isEventName(call, name)) throw refusal(name, `expects the event id as ${call.event.names.join(" or ")}`);
    if (call.parameters.includes(name)) fields[name] = value;
    if (name !== ticketTypeField) refuseEventId(name, value);
  }
  const aliases = (call.aliases ?? []).filter((name) => name in fields);
  if (aliases.length > 1) throw refusal(aliases.join(", "), "expects only one of them");
  return {
    eventReference: takeEventReference(call, Object.fromEntries(query)),
    ticketTypeIds: call.aboutTicketType ? [takeTicketTypeId(fields)] : [],
    otherUuids: Object.values(fields).filter(isUuid),
    fields,
  };
}

function readBody(call: Call, bytes: Uint8Array | null): TicketingRequest {
  if (bytes === null || bytes.length === 0) throw refusal("body", "expects a JSON object, but it is empty");
  const body = parseStrictJson(bytes);
  if (!isObject(body)) throw refusal("body", "expects a JSON object");
  const eventReference = takeEventReference(call, body);
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !call.event.names.includes(name)));
  const ticketTypeIds = new Set<string>();
  const otherUuids = new Set<string>();
  inspect(fields, "", {
    ticketType: (path, value) => ticketTypeIds.add(takeId(path, value)),
    uuid: (value) => otherUuids.add(value),
  });
  if (call.aboutTicketType) ticketTypeIds.add(takeTicketTypeId(fields));
  return { eventReference, ticketTypeIds: [...ticketTypeIds], otherUuids: [...otherUuids], fields };
}

function takeEventReference(call: Call, fields: Record<string, unknown>): string {
  const given = call.event.names.filter((name) => Object.hasOwn(fields, name));
  const [name] = given;
  if (name === undefined)
    throw refusal(call.event.names.includes("event_id") ? "event_id" : "id", "expects the id of an event");
  if (given.length > 1) throw refusal(given.join(", "), "expects only one of them");
  return takeId(name, fields[name]);
}

function takeTicketTypeId(fields: Record<string, unknown>): string {
  return takeId(ticketTypeField, fields[ticketTypeField]);
}

function takeId(path: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > longestId || !storable(value)) {
    throw refusal(path, `expects one id, a text of 1 to ${longestId} characters`);
  }
  return value;
}

type Notes = { ticketType(path: string, value: unknown): void; uuid(value: string): void };

/** Looks at every level of a body: an event id has no place in it, and every ticket type in it is noted. */
function inspect(value: unknown, path: string, notes: Notes, insideTicket = false): void {
  if (typeof value === "string") {
    if (isUuid(value)) notes.uuid(value);
    if (insideTicket) notes.ticketType(path, value);
    else refuseEventId(path, value);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspect(item, `${path}[${index}]`, notes, insideTicket);
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      inspectField(name, inner, path === "" ? name : `${path}.${name}`, notes, insideTicket);
    }
  }
}

function inspectField(name: string, value: unknown, path: string, notes: Notes, insideTicket: boolean): void {
  if (isEventIdName(name)) throw refusal(path, eventNamedTwice);
  if (isTicketTypeName(name) || (insideTicket && /^(api)?id$/.test(plainName(name)))) {
    for (const id of Array.isArray(value) ? value : [value]) notes.ticketType(path, id);
  } else {
    inspect(value, path, notes, /^(event)?tickets?(types?)?$/.test(plainName(name)));
  }
}

function refuseEventId(path: string, value: string): void {
  if (/^\s*evt-\S*\s*$/i.test(value.normalize("NFKC"))) {
    throw refusal(path, eventNamedTwice);
  }
}

/** Other spellings count too, such as Event_Id, eventId or event_ids: a lenient reader could take them for the id. */
function isEventName(call: Call, name: string): boolean {
  const plain = plainName(name);
  return isEventIdName(name) || call.event.names.some((known) => plainName(known) === plain);
}

function isEventIdName(name: string): boolean {
  return /ev(en)?t(api|uu)?(id|key)/.test(plainName(name));
}

function isTicketTypeName(name: string): boolean {
  return /tickettype(api|uu)?(id|key)/.test(plainName(name));
}

function plainName(name: string): string {
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

function refusal(path: string, problem: string): ServiceError {
  return new ServiceError("invalid_input", `${path.slice(0, longestId)}: ${problem}`);
}
