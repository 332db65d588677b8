import type { FastifyError, FastifyRequest } from "fastify";
import { ServiceError } from "./errors.js";

/** Errors that Fastify raises before a handler runs, with messages that say what to change; undefined for any other. */
export function fromFastify(error: unknown, request: FastifyRequest): ServiceError | undefined {
  const { code, statusCode, message } = error as FastifyError;
  switch (code) {
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new ServiceError(
        "invalid_input",
        "body: expected valid JSON without the keys __proto__ and constructor.prototype",
      );
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new ServiceError("invalid_input", "body: expected a JSON object, but it is empty");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ServiceError("too_large", `body: expected at most ${request.routeOptions.bodyLimit} bytes`);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ServiceError("unsupported_media_type", "Content-Type: expected application/json");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ServiceError("invalid_input", "Content-Length: does not match the size of the body");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ServiceError("invalid_input", "path: a segment is too long");
    case "FST_ERR_BAD_URL":
      return new ServiceError("invalid_input", "path: expected valid percent-encoding");
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new ServiceError("invalid_input", message)
        : undefined;
  }
}
