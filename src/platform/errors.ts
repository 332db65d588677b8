/** What went wrong, independent of the protocol that reports it. Each door maps codes to its own shape. */
export type ErrorCode =
  | "invalid_input"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "confirmation_required"
  | "version_conflict"
  | "idempotency_conflict"
  | "invalid_transition"
  | "conflict"
  | "gone"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "unavailable"
  | "bad_gateway"
  | "gateway_timeout"
  | "internal";

/** An error whose message is meant for the caller. Any other error is internal and its text stays in the log. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.details = more.details ?? {};
    this.headers = more.headers ?? {};
  }
}

/** One line that a person at a terminal can act on. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
