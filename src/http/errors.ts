import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBodyOf, internalErrorMessage, ServiceError, statusOf } from "../platform/errors.js";
import { fromFastify } from "../platform/fastify-errors.js";

/** Sends an error of any path as `{error, code, request_id, field?}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) {
    request.observation.error = error;
  }
  const sent = known ?? new ServiceError("internal", internalErrorMessage(request.id));
  return reply
    .headers(sent.headers)
    .code(statusOf(sent.code))
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBodyOf(sent, request.id)));
}
