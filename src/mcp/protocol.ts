import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../contract/errors.js";
import { tidied } from "../../contract/schema/characters.js";
import { isLoopbackHost, parseUrl } from "../../contract/urls.js";
import { withoutSecrets } from "../infra/secrets.js";

const modernRevision = "2026-07-28";

/** Revisions that start with `initialize`, newest first. */
const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

type LegacyRevision = (typeof legacyRevisions)[number];

export const revisions: string[] = [modernRevision, ...legacyRevisions];

/** What a modern request may name: older revisions are only reached through `initialize`. */
export const modernRevisions = [modernRevision];

export type Id = string | number;

/** A modern request describes itself in `_meta`; any other belongs to a revision with `initialize`. */
export type Era = "modern" | "legacy";

export type RpcError = { code: number; message: string; data?: Record<string, unknown> };

export type RpcRequest = {
  kind: "request";
  era: Era;
  /** Whether the client has declared that it shows views (MCP Apps). */
  showsViews: boolean;
  id: Id;
  method: string;
  params: Record<string, unknown>;
};

type Refusal = { kind: "refusal"; status: number; id: Id | undefined; error: RpcError };

export type Message = RpcRequest | Refusal | { kind: "notification" };

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  resourceNotFound: -32002,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

const batchRevision: LegacyRevision = "2025-03-26";
const maximumBatch = 20;

/**
 * The messages of a batch, or what is wrong with it; undefined for a single message. Only one revision has batches, and
 * requests of that revision need not name it.
 */
export function readBatch(body: unknown, headers: IncomingHttpHeaders): unknown[] | Refusal | undefined {
  if (!Array.isArray(body)) return undefined;
  const version = headers["mcp-protocol-version"] ?? batchRevision;
  if (version !== batchRevision)
    return malformed(undefined, `Only revision ${batchRevision} has batches: send one message per request`);
  if (body.length === 0 || body.length > maximumBatch)
    return malformed(undefined, `A batch has 1 to ${maximumBatch} messages, and this one has ${body.length}`);
  if (body.some((message) => isObject(message) && message.method === "initialize"))
    return malformed(undefined, "initialize cannot be part of a batch: send it by itself");
  return body;
}

/** Reads one JSON-RPC message. Each message names its own revision: there are no sessions. */
export function readMessage(body: unknown, headers: IncomingHttpHeaders): Message {
  if (!isObject(body)) return malformed(undefined, "The body is not a JSON-RPC message: expected an object");
  const id = isId(body.id) ? body.id : undefined;
  const { method, params = {} } = body;
  if (body.jsonrpc !== "2.0") return malformed(id, 'jsonrpc: expected "2.0"');
  if (typeof method !== "string") return malformed(id, "method: expected a string; responses are not accepted");
  if (!isObject(params)) return malformed(id, "params: expected an object");
  if (id === undefined) {
    return body.id === undefined && method.startsWith("notifications/")
      ? { kind: "notification" }
      : malformed(undefined, "id: expected a string or an integer; only notifications have none");
  }
  const meta = isObject(params._meta) ? params._meta : {};
  if (meta[versionKey] !== undefined) {
    const showsViews = declaresUi(meta[capabilitiesKey]);
    return readModern({ kind: "request", era: "modern", showsViews, id, method, params }, headers);
  }
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string" && !revisions.includes(version)) {
    const data = { supported: revisions, requested: shortened(version) };
    const message = `MCP-Protocol-Version: ${quote(version)} is not supported; use one of ${revisions.join(", ")}`;
    return refuse(400, id, rpcCodes.unsupportedVersion, message, data);
  }
  if (version !== undefined && !legacyRevisions.some((revision) => revision === version)) {
    return refuse(
      400,
      id,
      rpcCodes.invalidParams,
      `params._meta: lacks ${versionKey}, which revision ${version} needs`,
    );
  }
  const showsViews = method === "initialize" ? declaresUi(params.capabilities) : isUiSession(headers["mcp-session-id"]);
  return { kind: "request", era: "legacy", showsViews, id, method, params };
}

/** The revision that `initialize` agrees on: the client's if it is supported, otherwise the newest legacy one. */
export function agreedRevision(wanted: unknown): LegacyRevision {
  return legacyRevisions.find((revision) => revision === wanted) ?? legacyRevisions[0];
}

function refuse(
  status: number,
  id: Id | undefined,
  code: number,
  message: string,
  data?: Record<string, unknown>,
): Refusal {
  return { kind: "refusal", status, id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** The parameter that is repeated in the header Mcp-Name. */
const namedBy = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** Checks the envelope, then the headers, then the version: a proxy may have routed by headers that contradict the body. */
function readModern(request: RpcRequest, headers: IncomingHttpHeaders): RpcRequest | Refusal {
  const { id, method, params } = request;
  const meta = params._meta as Record<string, unknown>;
  const version = meta[versionKey];
  if (typeof version !== "string") {
    return refuse(400, id, rpcCodes.invalidParams, `params._meta: ${versionKey}: expected a string`);
  }
  if (!isObject(meta[capabilitiesKey])) {
    return refuse(400, id, rpcCodes.invalidParams, `params._meta: lacks ${capabilitiesKey}; expected an object`);
  }
  const nameParameter = namedBy.get(method);
  const problem =
    compare("MCP-Protocol-Version", headers["mcp-protocol-version"], version) ??
    compare("Mcp-Method", headers["mcp-method"], method) ??
    (nameParameter === undefined ? undefined : compareName(headers["mcp-name"], params[nameParameter]));
  if (problem !== undefined) return refuse(400, id, rpcCodes.headerMismatch, `Header mismatch: ${problem}`);
  if (!modernRevisions.includes(version)) {
    const data = { supported: modernRevisions, requested: version };
    return refuse(400, id, rpcCodes.unsupportedVersion, "Unsupported protocol version", data);
  }
  return request;
}

function compare(name: string, header: string | string[] | undefined, expected: string): string | undefined {
  if (header === undefined) return `${name} is missing; the body says ${quote(expected)}`;
  return header === expected ? undefined : `${name} says ${quote(String(header))}, the body says ${quote(expected)}`;
}

function compareName(header: string | string[] | undefined, name: unknown): string | undefined {
  if (typeof name !== "string") return header === undefined ? undefined : "Mcp-Name is set, but the body has no name";
  const decoded = typeof header === "string" ? decodeHeader(header) : header;
  return decoded === null ? "Mcp-Name is not valid base64 of UTF-8" : compare("Mcp-Name", decoded, name);
}

const encodedHeader = /^=\?base64\?(.*)\?=$/;

/** A header's text; null when the encoding is not canonical base64 of UTF-8. */
function decodeHeader(header: string): string | null {
  const encoded = encodedHeader.exec(header)?.[1];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  return bytes.toString("base64") === encoded && Buffer.from(text).equals(bytes) ? text : null;
}

/** Names come from the caller: the response must not grow with them. */
export function quote(text: string): string {
  return JSON.stringify(shortened(text));
}

/** What a caller sent, as an error repeats it: of bounded length, without credentials or characters that no text may contain. */
export function shortened(text: string): string {
  return withoutSecrets(tidied(text.length > 128 ? `${text.slice(0, 128)}…` : text));
}

function malformed(id: Id | undefined, message: string): Refusal {
  return refuse(400, id, rpcCodes.invalidRequest, message);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** MCP Apps (SEP-1865): hosts show a page of the server, a view, next to the results of a tool. */
export const uiExtension = "io.modelcontextprotocol/ui";

export const viewMimeType = "text/html;profile=mcp-app";

/** Whether the capabilities of a client include views. */
function declaresUi(capabilities: unknown): boolean {
  const mimeTypes = field(field(field(capabilities, "extensions"), uiExtension), "mimeTypes");
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType);
}

/**
 * Revisions with `initialize` declare capabilities once per session, and this service keeps none: the id says itself that
 * the client has declared views. It grants nothing, so anyone may make one up.
 */
export function newUiSession(): string {
  return sessionPrefix + randomUUID();
}

function isUiSession(id: string | string[] | undefined): boolean {
  return typeof id === "string" && id.startsWith(sessionPrefix);
}

const sessionPrefix = "ui-";

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export type TrustedSources = { publicUrl: string; corsOrigins: string[] };

/**
 * Protects against DNS rebinding: a page of another site can reach a service on the visitor's machine by resolving its
 * own name to it. Host and Origin then name that site, so both must be names of this service.
 */
export function createSourceCheck({ publicUrl, corsOrigins }: TrustedSources): (headers: IncomingHttpHeaders) => void {
  const own = new URL(publicUrl);
  return (headers) => {
    const host = hostnameOf(headers.host);
    if (host === undefined || (host !== own.hostname && !isLoopbackHost(host))) {
      throw new ServiceError(
        "forbidden",
        `Host: expected ${own.hostname} or localhost. If clients use another name, set PUBLIC_URL to it`,
      );
    }
    const { origin } = headers;
    if (origin === undefined || origin === own.origin || corsOrigins.includes(origin) || isLoopback(origin)) return;
    throw new ServiceError("forbidden", "Origin: this origin is not allowed; CORS_ORIGINS lists the allowed ones");
  };
}

const authority = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\]]+)(?::\d*)?$/;

function hostnameOf(host: string | undefined): string | undefined {
  return authority.exec(host?.toLowerCase() ?? "")?.[1];
}

function isLoopback(origin: string): boolean {
  return isLoopbackHost(parseUrl(origin)?.hostname);
}
