import type { FastifyReply, FastifyRequest } from "fastify";
import { internalErrorMessage, ServiceError, statusOf } from "../platform/errors.js";
import { fromFastify } from "../platform/fastify-errors.js";
import type { Log } from "../platform/log.js";

/** Sends an error of any path as `{"error": "<text>"}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) {
    log.error(
      { err: error, request_id: request.id, method: request.method, path: request.url.split("?")[0] },
      "request failed",
    );
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
