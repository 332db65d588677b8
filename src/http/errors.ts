import type { FastifyReply, FastifyRequest } from "fastify";
import { internalErrorMessage, ServiceError, statusOf } from "../platform/errors.js";
import { fromFastify } from "../platform/fastify-errors.js";

/** Sends an error of any path as `{"error": "<text>"}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) {
    request.observation.error = error;
    return sendText(reply, statusOf("internal"), internalErrorMessage(request.id));
  }
  reply.headers(known.headers);
  return sendText(reply, statusOf(known.code), known.message);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: text }));
}
