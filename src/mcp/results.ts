import { errorTable, ServiceError, type ToolErrorCode } from "../platform/errors.js";
import { serviceVersion } from "../platform/version.js";
import { type Era, type Id, quote, type RpcError } from "./protocol.js";

export const serverInfo = { name: "event-platform", title: "Event Platform", version: serviceVersion };

/** About 25,000 tokens (ids and timestamps take many): the most that clients pass to a model unshortened. */
export const maximumResultBytes = 64_000;

const modernFields = `"resultType":"complete","_meta":${JSON.stringify({ "io.modelcontextprotocol/serverInfo": serverInfo })}`;

/** A JSON-RPC response around fields that are already JSON, so that they are not parsed again. */
export function resultBody(era: Era, id: Id, fields: string): string {
  const all = [era === "modern" ? modernFields : "", fields].filter((part) => part !== "").join(",");
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${all}}}`;
}

/** The id is omitted when it could not be read. */
export function errorBody(id: Id | undefined, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error });
}

/** The fields of an object as JSON, without the braces. */
export function fieldsOfJson(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/** The result of a tool as fields: structured, and as text for clients that only read text. */
export function toolResult(result: Record<string, unknown>): string {
  const json = JSON.stringify(result);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maximumResultBytes) return contentFields(json, false);
  // A commit must be reported, and a preview must stay committable, whatever the size of the states.
  const short = result.dry_run === undefined ? json : JSON.stringify(shortened(result));
  if (Buffer.byteLength(short) <= maximumResultBytes) return contentFields(short, false);
  return toolError(
    "invalid_input",
    `The result would be ${kilobytes(bytes)}, and ${kilobytes(maximumResultBytes)} is the maximum. Request less: a smaller limit, a narrower filter, or fewer items`,
  );
}

/** An error result. Details that do not fit are dropped; code and message always remain. */
export function toolError(code: ToolErrorCode, message: string, details: Record<string, unknown> = {}): string {
  const json = JSON.stringify({ error: { ...details, code, message } });
  return contentFields(
    Buffer.byteLength(json) <= maximumResultBytes ? json : JSON.stringify({ error: { code, message } }),
    true,
  );
}

/** The result for an error that is meant for the caller; undefined for any other. */
export function knownToolError(error: unknown): string | undefined {
  return error instanceof ServiceError
    ? toolError(errorTable[error.code].toolCode, error.message, error.details)
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
    const message = `The states are too large to show. These are ${paths.length} of ${all.length} changed paths.`;
    return { dry_run, message, changes: paths, commit_with };
  }
  return {
    dry_run,
    record_id,
    ...(replayed === undefined ? {} : { replayed }),
    message: "Committed. The new state is too large to show: read the parts you need.",
  };
}

const shownChanges = 20;

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} KB`;
}
