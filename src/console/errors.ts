import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBodyOf, internalErrorMessage, ServiceError, statusOf } from "../platform/errors.js";
import { fromFastify } from "../platform/fastify-errors.js";

/** The body of other errors, with the details that a dialog needs: what a version conflict found, which fields are wrong. */
export function sendConsoleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) request.observation.error = error;
  const sent = known ?? new ServiceError("internal", internalErrorMessage(request.id));
  const { details } = sent;
  return reply
    .headers(sent.headers)
    .code(statusOf(sent.code))
    .type("application/json; charset=utf-8")
    .send(
      JSON.stringify({ ...errorBodyOf(sent, request.id), ...(Object.keys(details).length > 0 ? { details } : {}) }),
    );
}
