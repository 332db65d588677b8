import { errorTable, ServiceError, type ToolErrorCode } from "../platform/errors.js";
import { serviceVersion } from "../platform/version.js";
import { eventOfResult } from "../tools/result-event.js";
import { imagesOf, type ResultImage } from "../tools/result-images.js";
import type { NamedTool } from "../tools/tool.js";
import { adviceOn, type Places } from "./elsewhere.js";
import { type Era, type Id, quote, type RpcError } from "./protocol.js";
import { oneLine, textOf } from "./result-text.js";
import { shownResult } from "./shown-result.js";
import { untrustedText } from "./untrusted-text.js";

export const serverInfo = { name: "event-platform", title: "Event Platform", version: serviceVersion };

/** About 25,000 tokens (ids and timestamps take many): the most that clients pass to a model unshortened. */
export const maximumResultBytes = 64_000;

const modernFields = `"resultType":"complete","_meta":${JSON.stringify({ "io.modelcontextprotocol/serverInfo": serverInfo })}`;

/** A JSON-RPC response around fields that are already JSON, so that they are not parsed again. */
export function resultBody(era: Era, id: Id, fields: string): string {
  return `${resultHead(era, fields)}${JSON.stringify(id)}}`;
}

/** The response up to its id, which comes last, so that all before it can be prepared. */
export function resultHead(era: Era, fields: string): string {
  const all = [era === "modern" ? modernFields : "", fields].filter((part) => part !== "").join(",");
  return `{"jsonrpc":"2.0","result":{${all}},"id":`;
}

/** The id is null when it could not be read. */
export function errorBody(id: Id | undefined, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error });
}

/** The fields of an object as JSON, without the braces. */
export function fieldsOfJson(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/**
 * The result of a tool as fields: structured, and as text for clients that only read text. Either is enough to continue;
 * the text of a change has only the beginning of long values, which the caller sent or can read. `viewed` is the tool, for
 * clients that show views.
 */
export function toolResult(result: Record<string, unknown>, viewed?: NamedTool): string {
  const isChange = result.dry_run !== undefined;
  const about = viewed === undefined ? {} : { about: aboutOf(viewed, result) };
  const shown = { ...untrustedText, ...about, ...(isChange ? shownResult(result) : result) };
  const fields = fittingFields(shown, textOf(shown, isChange ? shownText : undefined), { images: imagesOf(result) });
  if (fields !== undefined) return fields;
  // A commit must be reported, and a preview must stay committable, whatever the size of the states.
  const short = isChange ? shortened(shown) : undefined;
  const shortFields = short && fittingFields(short, textOf(short, shownText));
  if (shortFields !== undefined) return shortFields;
  const bytes = Buffer.byteLength(JSON.stringify(shown));
  return toolError(
    "invalid_input",
    `The result would be ${kilobytes(bytes)}, and ${kilobytes(maximumResultBytes)} is the maximum. Request less: a smaller limit, a narrower filter, or fewer items`,
  );
}

/** What a view says above the change, and does not know otherwise. */
function aboutOf({ name: tool, title }: NamedTool, result: Record<string, unknown>): object {
  const event = eventOfResult(result);
  return { tool, title, ...(event === undefined ? {} : { event: event.name, timezone: event.timezone }) };
}

/** What the text of a change shows of a long value. */
const shownText = 160;

/** An error result. Details that do not fit are shortened or dropped; code and message always remain. */
export function toolError(code: ToolErrorCode, message: string, details: Record<string, unknown> = {}): string {
  const mark = Object.keys(details).length === 0 ? {} : untrustedText;
  const textual = (more: Record<string, unknown>) =>
    [oneLine(`${code}: ${message}`), textOf(more, shownText)].filter((part) => part !== "").join("\n");
  const errorOf = (shown: Record<string, unknown>) =>
    fittingFields({ ...mark, error: { ...shown, code, message } }, textual({ ...mark, ...shown }), { isError: true });
  const shown = shownResult(details);
  const fields = errorOf(shown) ?? (shown.commit_with === undefined ? undefined : errorOf(shortened(shown)));
  return fields ?? contentFields(JSON.stringify({ error: { code, message } }), textual({}), true);
}

/** The result for an error that is meant for the caller; undefined for any other. */
export function knownToolError(error: unknown): string | undefined {
  return error instanceof ServiceError
    ? toolError(errorTable[error.code].toolCode, error.message, error.details)
    : undefined;
}

/** The same for a tool that does not exist and for one that the caller may not use: it depends on the name alone. */
export function unknownTool(name: string, places: Places): string {
  const advice = adviceOn(name, places);
  return `Unknown tool: ${quote(name).slice(1, -1)}${advice === undefined ? "" : `. ${advice}`}`;
}

/** Undefined when the structured or the textual result is above the limit. */
function fittingFields(
  structured: Record<string, unknown>,
  text: string,
  { isError = false, images = [] }: { isError?: boolean; images?: ResultImage[] } = {},
): string | undefined {
  const json = JSON.stringify(structured);
  const bytes = Math.max(Buffer.byteLength(json), Buffer.byteLength(text));
  return bytes <= maximumResultBytes ? contentFields(json, text, isError, images) : undefined;
}

function contentFields(json: string, text: string, isError: boolean, images: ResultImage[] = []): string {
  const content = [{ type: "text", text }, ...images.map(imageContent)];
  return `"content":${JSON.stringify(content)},"structuredContent":${json}${isError ? ',"isError":true' : ""}`;
}

function imageContent({ contentType, bytes }: ResultImage): object {
  return { type: "image", mimeType: contentType, data: bytes.toString("base64") };
}

function shortened(result: Record<string, unknown>): Record<string, unknown> {
  const { untrusted_text, about, dry_run, record_id, replayed, commit_with, repeat_arguments, changes, warnings } =
    result;
  if (record_id === undefined) {
    const all = Array.isArray(changes) ? changes : [];
    const paths = all.slice(0, shownChanges).map(({ path }: { path: string }) => ({ path }));
    const message = `The states are too large to show. These are ${paths.length} of ${all.length} changed paths.`;
    return {
      ...{ untrusted_text, about, dry_run, message, changes: paths, warnings, commit_with },
      ...(repeat_arguments === undefined ? {} : { repeat_arguments }),
    };
  }
  return {
    untrusted_text,
    about,
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
