import { capitalized } from "../../../contract/capitalized.ts";
import { countOf } from "../format/counts.ts";
import { wordsOf } from "../format/differences.ts";

/** What a failed request says. `code` is one of the service's error codes, or one of those below. */
export class ApiError extends Error {
  /** 0: no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, parts: Partial<Omit<ApiError, "name" | "message">> & { status: number; code: string }) {
    super(message);
    this.name = "ApiError";
    this.status = parts.status;
    this.code = parts.code;
    this.field = parts.field;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/** No response arrived: the request may or may not have been carried out. */
export const networkErrorCode = "network";
/** A response arrived that is not from this service, for example of a proxy. */
export const unexpectedResponseCode = "unexpected_response";

/** A part of the application is not there: there is a newer version of it. */
export const missingPartCode = "missing_part";

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Repeating the same request can help: nothing is wrong with the request itself. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** What kind of failure it is, where that says more than what was tried. */
export function titleOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return "This page has a problem";
  if (isServiceFailure(error)) return "The service has a problem";
  return titles[error.code];
}

const titles: Partial<Record<string, string>> = {
  [networkErrorCode]: "No connection",
  forbidden: "No permission",
  rate_limited: "Too many requests",
};

/** Not what was asked for is wrong, but the service: its operators need the id of the request. */
export const isServiceFailure = (error: ApiError): boolean => error.status >= 500;

export function messageOf(error: unknown): string {
  if (isApiError(error, networkErrorCode))
    return "The service could not be reached. Check the connection and try again.";
  if (isApiError(error, "rate_limited")) {
    const seconds = error.retryAfterSeconds;
    return seconds === undefined
      ? "Too many requests. Wait a moment and try again."
      : `Too many requests. Try again ${inWords(seconds)}.`;
  }
  if (error instanceof ApiError) return withFieldInWords(error);
  return "Something went wrong in this page. Reload it; if that does not help, report what you did.";
}

/** "website_url: expected an address" → "Website address: expected an address". */
function withFieldInWords({ message, field }: ApiError): string {
  if (field === undefined || !/^[a-z_]+$/.test(field) || !message.startsWith(`${field}: `)) return message;
  return `${wordsOf(field)}${message.slice(field.length)}`;
}

/** What to show, and at which field of the form; the service writes "password: expected at least 10 characters". */
export type Problem = { text: string; field: string | undefined };

export function problemOf(error: unknown): Problem {
  const { message, field } = error instanceof ApiError ? error : { message: "", field: undefined };
  if (field === undefined || !message.startsWith(`${field}: `)) return { text: messageOf(error), field };
  const rest = message.slice(field.length + 2);
  return { text: `${capitalized(rest)}.`, field };
}

function inWords(seconds: number): string {
  if (seconds < 90) return `in ${countOf(Math.max(1, Math.ceil(seconds)), "second")}`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
