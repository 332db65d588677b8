import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBodyOf, internalErrorMessage, ServiceError, statusOf } from "../../contract/errors.js";
import { fromFastify } from "./fastify-errors.js";
import { jsonType } from "./representation.js";

/** Sends any error as `{error, code, request_id, field?}`, with its details to clients that act on them. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { withDetails = false }: { withDetails?: boolean } = {},
): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) request.observation.error = error;
  const sent = known ?? new ServiceError("internal", internalErrorMessage(request.id));
  const { details } = sent;
  const body = {
    ...errorBodyOf(sent, request.id),
    ...(withDetails && Object.keys(details).length > 0 ? { details } : {}),
  };
  return reply.headers(sent.headers).code(statusOf(sent.code)).type(jsonType).send(JSON.stringify(body));
}
