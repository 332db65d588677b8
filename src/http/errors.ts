import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";

export const statusOf: Record<ErrorCode, number> = {
  invalid_input: 400,
  confirmation_required: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  version_conflict: 409,
  idempotency_conflict: 409,
  invalid_transition: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
};

/** Every error of every path leaves through here, as `{"error": "<text>"}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFramework(error, request);
  if (known === undefined) {
    log.error(
      { err: error, request_id: request.id, method: request.method, path: request.url.split("?")[0] },
      "failed",
    );
    return sendText(reply, 500, `Internal error. If it stays, report it with this request id: ${request.id}`);
  }
  reply.headers(known.headers);
  return sendText(reply, statusOf[known.code], known.message);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: text }));
}

/** What fastify refuses before a handler runs, in words that say what to change. */
function fromFramework(error: unknown, request: FastifyRequest): ServiceError | undefined {
  const { code, statusCode, message } = error as FastifyError;
  switch (code) {
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new ServiceError(
        "invalid_input",
        "body: expects valid JSON without the keys __proto__ and constructor.prototype",
      );
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new ServiceError("invalid_input", "body: expects a JSON object, but it is empty");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ServiceError("too_large", `body: expects at most ${request.routeOptions.bodyLimit} bytes`);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ServiceError("unsupported_media_type", "Content-Type: expects application/json");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ServiceError("invalid_input", "Content-Length: does not match the size of the body");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ServiceError("invalid_input", "path: a part of it is too long");
    case "FST_ERR_BAD_URL":
      return new ServiceError("invalid_input", "path: expects valid percent-encoding");
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new ServiceError("invalid_input", message)
        : undefined;
  }
}
