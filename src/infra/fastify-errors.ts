import type { FastifyError, FastifyRequest } from "fastify";
import { fieldError, ServiceError } from "../../contract/errors.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a body may be, where it is not JSON. */
    contentTypes?: readonly string[];
  }
}

/** Errors that Fastify raises before a handler runs, with messages that say what to change; undefined for any other. */
export function fromFastify(error: unknown, request: FastifyRequest): ServiceError | undefined {
  const { code, statusCode, message } = error as FastifyError;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return fieldError("body", `expected at most ${request.routeOptions.bodyLimit} bytes`, "too_large");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return fieldError("Content-Type", `expected ${expectedTypes(request)}`, "unsupported_media_type");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return fieldError("Content-Length", "does not match the size of the body");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return fieldError("path", "a segment is too long");
    case "FST_ERR_BAD_URL":
      return fieldError("path", "expected valid percent-encoding");
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new ServiceError("invalid_input", message)
        : undefined;
  }
}

function expectedTypes({ routeOptions }: FastifyRequest): string {
  const types = routeOptions.config?.contentTypes ?? ["application/json"];
  return `${types.length > 1 ? "one of " : ""}${types.join(", ")}`;
}
