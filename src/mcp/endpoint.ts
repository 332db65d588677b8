import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, OrganizationCaller } from "../access/caller.js";
import { checkKeyAndLimit, type KeyChecks } from "../access/check-request.js";
import { hostsAnyEvent } from "../access/hosting.js";
import { statusOf } from "../http/errors.js";
import { ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import { parseArguments } from "../tools/envelope.js";
import { runTool, type ToolRunner } from "../tools/run.js";
import { checkSource, type TrustedSources } from "./check-source.js";
import { instructions } from "./instructions.js";
import {
  agreedRevision,
  type Id,
  isObject,
  modernRevisions,
  type RpcRequest,
  readMessage,
  rpcCodes,
} from "./protocol.js";
import {
  errorBody,
  fieldsOfJson,
  knownToolError,
  resultBody,
  serverInfo,
  toolError,
  toolResult,
  unknownTool,
} from "./results.js";
import { isAvailable, listedTools, type ToolList } from "./tool-list.js";

export const mcpPath = "/api/mcp";

export type McpDoor = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  runner: ToolRunner;
  list: ToolList;
  sources: TrustedSources;
  log: Log;
};

const bodyLimitBytes = 1024 * 1024;

/** Host and Origin → method → key → rate limit → tier → body → message. Until the body, only the head is read. */
export function addMcpEndpoint(app: FastifyInstance, door: McpDoor): void {
  const callers = new WeakMap<FastifyRequest, OrganizationCaller>();
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(door, error, request, reply));
    scope.addHook("onRequest", async (request) => checkSource(door.sources, request.headers));
    scope.options(mcpPath, async (_request, reply) => reply.code(204).header("allow", "POST, OPTIONS").send());
    scope.route({
      method: scope.supportedMethods.filter((method) => method !== "POST" && method !== "OPTIONS"),
      url: mcpPath,
      onRequest: async (request) => {
        throw new ServiceError("method_not_allowed", `${request.method} is not allowed here: use POST`, {
          headers: { allow: "POST" },
        });
      },
      handler: async () => undefined,
    });
    scope.route({
      method: "POST",
      url: mcpPath,
      bodyLimit: bodyLimitBytes,
      onRequest: async (request, reply) => {
        callers.set(request, await enterMcp(door, request, reply));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("a message was read without its caller");
        const { status, body } = await answer(door, caller, request);
        return body === undefined ? reply.code(status).send() : sendJson(reply, status, body);
      },
    });
  });
}

async function enterMcp(door: McpDoor, request: FastifyRequest, reply: FastifyReply): Promise<OrganizationCaller> {
  const { authorization } = request.headers;
  const caller: Caller = await checkKeyAndLimit(door.keyChecks, door.limiter, authorization, reply);
  if (caller.tier === "organization") return caller;
  throw new ServiceError("forbidden", `This endpoint takes organization keys only; this is a ${caller.tier} key`);
}

type Answer = { status: number; body?: string };

async function answer(door: McpDoor, caller: OrganizationCaller, request: FastifyRequest): Promise<Answer> {
  const message = readMessage(request.body, request.headers);
  if (message.kind === "notification") return { status: 202 };
  if (message.kind === "refusal") return { status: message.status, body: errorBody(message.id, message.error) };
  const handler = (message.era === "modern" ? modernMethods : legacyMethods)[message.method];
  if (handler === undefined) {
    const error = { code: rpcCodes.methodNotFound, message: `Method not found: ${message.method.slice(0, 128)}` };
    return { status: message.era === "modern" ? 404 : 200, body: errorBody(message.id, error) };
  }
  try {
    const outcome = await handler({ door, caller, message, requestId: request.id });
    return typeof outcome === "string"
      ? { status: 200, body: resultBody(message.era, message.id, outcome) }
      : { status: 200, body: errorBody(message.id, { code: rpcCodes.invalidParams, message: outcome.invalid }) };
  } catch (error) {
    return unforeseen(door, error, request, message.id);
  }
}

type Call = { door: McpDoor; caller: OrganizationCaller; message: RpcRequest; requestId: string };

/** Gives the fields of the result as JSON, or says what is wrong with the parameters. */
type Method = (call: Call) => Promise<string | { invalid: string }>;

const capabilities = { tools: {} };
const discoverTtlMs = 3_600_000;
/** Short, since a role or a scope may change at any time; a call is checked anew in any case. */
const listTtlMs = 60_000;

/** Without a prototype, so that a method's name cannot reach anything but the methods. */
const modernMethods: Record<string, Method | undefined> = Object.assign(Object.create(null), {
  "server/discover": async () =>
    fieldsOfJson({
      supportedVersions: modernRevisions,
      capabilities,
      instructions,
      ttlMs: discoverTtlMs,
      cacheScope: "public",
    }),
  "tools/list": async (call) => {
    const tools = await listTools(call);
    return typeof tools === "string" ? `${tools},"ttlMs":${listTtlMs},"cacheScope":"private"` : tools;
  },
  "tools/call": callTool,
} satisfies Record<string, Method>);

const legacyMethods: Record<string, Method | undefined> = Object.assign(Object.create(null), {
  initialize: async ({ message }) =>
    fieldsOfJson({
      protocolVersion: agreedRevision(message.params.protocolVersion),
      capabilities,
      serverInfo,
      instructions,
    }),
  ping: async () => "",
  "tools/list": listTools,
  "tools/call": callTool,
} satisfies Record<string, Method>);

async function listTools({ door, caller, message }: Call): Promise<string | { invalid: string }> {
  if (message.params.cursor) return { invalid: "cursor: the list is one page, there is no cursor for it" };
  return listedTools(door.list, caller, await hostsAnyEvent(door.runner.db, caller));
}

async function callTool({ door, caller, message, requestId }: Call): Promise<string | { invalid: string }> {
  const { name, arguments: args } = message.params;
  if (typeof name !== "string") return { invalid: "name: expects the name of a tool" };
  if (args !== undefined && args !== null && !isObject(args)) return { invalid: "arguments: expects an object" };
  const prepared = door.list.tools.find(({ tool }) => tool.name === name);
  if (prepared === undefined) return { invalid: unknownTool(name) };
  const { tool, schema } = prepared;
  const hostsEvents = tool.event !== undefined && (await hostsAnyEvent(door.runner.db, caller));
  if (!isAvailable(tool, { caller, hostsEvents, deployed: door.list.deployed })) return { invalid: unknownTool(name) };
  try {
    return toolResult(await runTool(door.runner, tool, caller, parseArguments(schema, args)));
  } catch (error) {
    const known = knownToolError(error);
    if (known !== undefined) return known;
    door.log.error({ err: error, request_id: requestId, tool: name }, "a tool failed");
    return toolError("internal", internalError(requestId), { request_id: requestId });
  }
}

function internalError(requestId: string): string {
  return `Internal error. If it stays, report it with this request id: ${requestId}`;
}

/** What is refused before a message is read. The service's own errors keep their HTTP status as code: it is not reserved. */
function sendFailure(door: McpDoor, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFramework(error);
  if (known === undefined) {
    const { status, body } = unforeseen(door, error, request, undefined);
    return sendJson(reply, status, body);
  }
  const status = statusOf[known.code];
  reply.headers(known.headers);
  return sendJson(
    reply,
    status,
    errorBody(undefined, {
      code: status === 400 ? rpcCodes.parseError : status,
      message: known.message,
      data: { ...known.details, code: known.code },
    }),
  );
}

function unforeseen(door: McpDoor, error: unknown, request: FastifyRequest, id: Id | undefined) {
  door.log.error({ err: error, request_id: request.id, path: mcpPath }, "failed");
  const failure = { code: rpcCodes.internalError, message: internalError(request.id), data: { code: "internal" } };
  return { status: 500, body: errorBody(id, failure) };
}

function fromFramework(error: unknown): ServiceError | undefined {
  const { code, statusCode, message } = error as FastifyError;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new ServiceError("too_large", `The body is too large: expects at most ${bodyLimitBytes} bytes`);
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new ServiceError("unsupported_media_type", "Content-Type: expects application/json");
  }
  if (code === "FST_ERR_CTP_INVALID_JSON_BODY" || code === "FST_ERR_CTP_EMPTY_JSON_BODY") {
    return new ServiceError("invalid_input", "The body is not valid JSON");
  }
  return statusCode !== undefined && statusCode < 500 ? new ServiceError("invalid_input", message) : undefined;
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}
