type ErrorRow = {
  status: number;
  /** The code that a tool's error result carries. */
  toolCode: string;
  /** The message where it is always the same, as the API description quotes it. */
  text?: string;
  /** What causes it, by endpoint. An endpoint that is not named does not document it. */
  causes: { rest?: string; ticketing?: string; mcp?: string };
  /** The operations that document it; undefined: those of REST that declare it, and all of ticketing. */
  documentedOn?: "all" | "authenticated" | "with body";
};

/** Every error of the service. Statuses, tool errors, OpenAPI and discovery are derived from this table. */
export const errorTable = {
  invalid_input: {
    status: 400,
    toolCode: "invalid_input",
    causes: {
      rest: "malformed input: the text names the field and what was expected",
      ticketing: "malformed input: the text names the field and what was expected",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "all",
  },
  confirmation_required: { status: 400, toolCode: "confirmation_required", causes: {} },
  unauthorized: {
    status: 401,
    toolCode: "forbidden",
    text: "Invalid or expired API key",
    causes: {
      rest: "key missing, invalid, expired or inactive",
      ticketing: "key missing, invalid, expired or inactive",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "authenticated",
  },
  forbidden: {
    status: 403,
    toolCode: "forbidden",
    causes: {
      rest: "the key has no access to the requested resource",
      ticketing: "not an organization key, scope or role missing, or the organization does not host the event",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "authenticated",
  },
  not_found: {
    status: 404,
    toolCode: "not_found",
    text: "Poster not found, Event not found, Conference not found",
    causes: {
      rest: "no such row, or no such path",
      ticketing: "unknown path or event, or the ticket type is not one of the event's",
      mcp: "a JSON-RPC error",
    },
  },
  method_not_allowed: {
    status: 405,
    toolCode: "internal",
    causes: { rest: "method not allowed; the Allow header lists the allowed ones" },
  },
  request_timeout: { status: 408, toolCode: "internal", causes: { rest: "the request did not arrive in time" } },
  conflict: {
    status: 409,
    toolCode: "conflict",
    causes: { ticketing: "the event is not linked to the ticketing platform" },
  },
  version_conflict: { status: 409, toolCode: "version_conflict", causes: {} },
  idempotency_conflict: { status: 409, toolCode: "idempotency_conflict", causes: {} },
  incomplete_commit: { status: 409, toolCode: "incomplete_commit", causes: {} },
  invalid_transition: { status: 409, toolCode: "invalid_transition", causes: {} },
  gone: {
    status: 410,
    toolCode: "not_found",
    text: "This endpoint is deprecated …",
    causes: { rest: "removed marketing endpoint; use the poster endpoints" },
  },
  precondition_failed: {
    status: 412,
    toolCode: "version_conflict",
    causes: { rest: "If-Match does not name the current ETag: the row has changed since it was read" },
  },
  too_large: {
    status: 413,
    toolCode: "invalid_input",
    causes: { rest: "body too large", ticketing: "body too large", mcp: "a JSON-RPC error" },
    documentedOn: "with body",
  },
  unsupported_media_type: {
    status: 415,
    toolCode: "invalid_input",
    causes: {
      rest: "body is compressed or is not application/json (a PATCH also accepts application/merge-patch+json)",
      ticketing: "body is compressed or is not application/json",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "with body",
  },
  rate_limited: {
    status: 429,
    toolCode: "unavailable",
    text: "Rate limit exceeded …",
    causes: {
      rest: "rate limit exceeded, or more recorded than an organization may in 10 minutes (Retry-After)",
      ticketing:
        "rate limit of the organization exceeded, or more recorded than an organization may in 10 minutes (Retry-After)",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "authenticated",
  },
  headers_too_large: { status: 431, toolCode: "invalid_input", causes: { rest: "request headers too large" } },
  internal: {
    status: 500,
    toolCode: "internal",
    causes: { rest: "server or database error; the text contains the request id" },
    documentedOn: "all",
  },
  bad_gateway: {
    status: 502,
    toolCode: "internal",
    causes: { ticketing: "the ticketing platform cannot be reached, failed, or rejected the service's key" },
  },
  unavailable: {
    status: 503,
    toolCode: "unavailable",
    causes: {
      rest: "the database is not available or too busy (Retry-After)",
      ticketing:
        "no ticketing platform is configured, too many requests in flight or to the platform, the platform limits the service, or the database is not available (Retry-After)",
      mcp: "a JSON-RPC error",
    },
    documentedOn: "all",
  },
  gateway_timeout: {
    status: 504,
    toolCode: "internal",
    causes: { ticketing: "the ticketing platform did not respond in time" },
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export type ToolErrorCode = (typeof errorTable)[ErrorCode]["toolCode"];

/** What the code of a tool's error means, and what to do. */
export const toolErrorCodes: Record<ToolErrorCode, string> = {
  invalid_input: "the arguments are wrong: the message names them and what was expected",
  confirmation_required: "arguments of a commit are missing: the message names them",
  forbidden: "the key, its user or the organization may not do this: the message says who may",
  not_found: "no such row among those that the key sees: the message says which tool lists them",
  conflict: "the state does not allow it: the message says why and what to change",
  version_conflict:
    "the state has changed since the preview: nothing was changed, and a new preview comes with the error",
  idempotency_conflict: "the idempotency key was used for another request: preview again to get a new one",
  incomplete_commit: "the arguments are not those of the preview: the message names them; send commit_with unchanged",
  invalid_transition: "the state does not allow this transition: the message lists those that it allows",
  internal: "a failure of the service; report it with the request id",
  unavailable: "the service is too busy or the database is away: try again after a moment",
};

export function statusOf(code: ErrorCode): number {
  return errorTable[code].status;
}

/** The errors that an endpoint documents, in the order of their status. */
export function documentedErrors(endpoint: keyof ErrorRow["causes"]) {
  const rows = Object.entries<ErrorRow>(errorTable);
  return rows.flatMap(([code, { status, text, causes, documentedOn }]) => {
    const condition = causes[endpoint];
    return condition === undefined ? [] : [{ status, code, error: text ?? "free text", condition, documentedOn }];
  });
}

/** The codes of error bodies, which REST and the ticketing proxy share. */
export const errorCodes = [
  ...new Set([...documentedErrors("rest"), ...documentedErrors("ticketing")].map(({ code }) => code)),
];

/** An error whose message is meant for the caller. Any other error is internal and its text stays in the log. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  /** The first field of the input that is wrong. */
  readonly field: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: Record<string, unknown>;
      headers?: Record<string, string>;
      field?: string;
      /** After how long the caller may try again: as header, and in the details for clients that see no headers. */
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "ServiceError";
    this.code = code;
    const { retryAfterSeconds: seconds } = more;
    this.details = { ...(seconds === undefined ? {} : { retry_after_seconds: seconds }), ...more.details };
    this.headers = { ...(seconds === undefined ? {} : { "retry-after": String(seconds) }), ...more.headers };
    this.field = more.field;
  }
}

/** An error about one field of the input: a parameter, a header, or the body as a whole. */
export function fieldError(field: string, problem: string, code: ErrorCode = "invalid_input"): ServiceError {
  return new ServiceError(code, `${field}: ${problem}`, { field });
}

/** The body of every error of REST and the ticketing proxy. */
export type ErrorBody = { error: string; code: ErrorCode; request_id: string; field?: string };

export function errorBodyOf({ message, code, field }: ServiceError, requestId: string): ErrorBody {
  return { error: message, code, request_id: requestId, ...(field === undefined ? {} : { field }) };
}

export function internalErrorMessage(requestId: string): string {
  return `Internal error. If this persists, report it with this request id: ${requestId}`;
}

/** One line that a person at a terminal can act on. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
