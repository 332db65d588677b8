import { type ErrorCode, ServiceError } from "../platform/errors.js";
import { type Era, type Id, quote, type RpcError } from "./protocol.js";

export const serverInfo = { name: "event-platform", title: "Event Platform", version: "5.0.0" };

/** About 25,000 tokens, since ids and timestamps take many: what a client still passes on to its model whole. */
export const maximumResultBytes = 64_000;

const modernFields = `"resultType":"complete","_meta":${JSON.stringify({ "io.modelcontextprotocol/serverInfo": serverInfo })}`;

/** An answer around fields that are JSON already; they are neither parsed nor copied again. */
export function resultBody(era: Era, id: Id, fields: string): string {
  const all = [era === "modern" ? modernFields : "", fields].filter((part) => part !== "").join(",");
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${all}}}`;
}

/** The id is left out where it could not be read. */
export function errorBody(id: Id | undefined, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error });
}

/** The fields of JSON text without its braces. */
export function fieldsOfJson(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/** The result of a tool as fields of an answer: structured, and the same as text for clients that only read text. */
export function toolResult(result: Record<string, unknown>): string {
  const json = JSON.stringify(result);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maximumResultBytes) return contentFields(json, false);
  // What was committed stays committed, and what can be committed must not hang on the size of its preview.
  const short = result.dry_run === undefined ? json : JSON.stringify(shortened(result));
  if (Buffer.byteLength(short) <= maximumResultBytes) return contentFields(short, false);
  return toolError(
    "invalid_input",
    `The result would be ${kilobytes(bytes)}, and ${kilobytes(maximumResultBytes)} is the most. Ask for less: a smaller limit, a narrower filter, or fewer items`,
  );
}

export const toolErrorCodes = [
  "invalid_input",
  "forbidden",
  "not_found",
  "confirmation_required",
  "version_conflict",
  "idempotency_conflict",
  "invalid_transition",
  "conflict",
  "internal",
] as const satisfies ErrorCode[];

export type ToolErrorCode = (typeof toolErrorCodes)[number];

/** The nearest for errors of the service that tools do not have a code for; what is left is nothing an agent can mend. */
const nearestCodes: Partial<Record<ErrorCode, ToolErrorCode>> = {
  unauthorized: "forbidden",
  gone: "not_found",
  too_large: "invalid_input",
  unsupported_media_type: "invalid_input",
  rate_limited: "conflict",
};

export function toolErrorCodeOf(code: ErrorCode): ToolErrorCode {
  return toolErrorCodes.find((known) => known === code) ?? nearestCodes[code] ?? "internal";
}

/** An error that the agent can act on. Details never push out code and message. */
export function toolError(code: ToolErrorCode, message: string, details: Record<string, unknown> = {}): string {
  const json = JSON.stringify({ error: { ...details, code, message } });
  return contentFields(
    Buffer.byteLength(json) <= maximumResultBytes ? json : JSON.stringify({ error: { code, message } }),
    true,
  );
}

/** The error of a failed call; undefined for one that is not meant for the caller. */
export function knownToolError(error: unknown): string | undefined {
  return error instanceof ServiceError
    ? toolError(toolErrorCodeOf(error.code), error.message, error.details)
    : undefined;
}

export function unknownTool(name: string): string {
  return `Unknown tool: ${quote(name).slice(1, -1)}`;
}

function contentFields(json: string, isError: boolean): string {
  return `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}${isError ? ',"isError":true' : ""}`;
}

function shortened(result: Record<string, unknown>): Record<string, unknown> {
  const { dry_run, record_id, replayed, commit_with, changes } = result;
  if (record_id === undefined) {
    const all = Array.isArray(changes) ? changes : [];
    const paths = all.slice(0, shownChanges).map(({ path }: { path: string }) => ({ path }));
    const message = `The states are too large to show here. These are ${paths.length} of ${all.length} places that change.`;
    return { dry_run, message, changes: paths, commit_with };
  }
  return {
    dry_run,
    record_id,
    ...(replayed === undefined ? {} : { replayed }),
    message: "Done. The new state is too large to show here: read what you need of it.",
  };
}

const shownChanges = 20;

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} KB`;
}
