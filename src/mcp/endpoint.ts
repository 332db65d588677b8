import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OrganizationCaller } from "../access/caller.js";
import { checkKeyAndLimit, type KeyChecks } from "../access/check-request.js";
import { getHosting } from "../access/hosting.js";
import type { Compressor } from "../platform/compress.js";
import { internalErrorMessage, ServiceError, statusOf } from "../platform/errors.js";
import { fromFastify } from "../platform/fastify-errors.js";
import { uuidPattern } from "../platform/ids.js";
import { observedDatabase } from "../platform/observability/observation.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import { isAvailable } from "../tools/availability.js";
import { callTool } from "../tools/call-tool.js";
import type { ToolDependencies } from "../tools/run.js";
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
  shortened,
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
import { listedTools, type ToolList } from "./tool-list.js";

export const mcpPath = "/api/mcp";

export type McpEndpoint<Services> = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  tools: ToolDependencies<Services>;
  list: ToolList<Services>;
  sources: TrustedSources;
  compress: Compressor;
};

/** The largest arguments of a tool, 1,000 ids, need a third of this. */
const bodyLimitBytes = 128 * 1024;

/** Checks in this order: Host and Origin → method → key → rate limit → tier → body → message. */
export function addMcpEndpoint<Services>(app: FastifyInstance, mcp: McpEndpoint<Services>): void {
  const callers = new WeakMap<FastifyRequest, OrganizationCaller>();
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
    scope.addHook("onRequest", async (request) => checkSource(mcp.sources, request.headers));
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
        callers.set(request, await authenticate(mcp, request, reply));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("the MCP handler ran without a caller");
        const { status, headers = {}, body } = await respond(mcp, caller, request);
        reply.headers(headers);
        if (body === undefined) return reply.code(status).send();
        return sendCompressed(mcp.compress, request, reply.code(status), body);
      },
    });
  });
}

async function authenticate<Services>(
  mcp: McpEndpoint<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OrganizationCaller> {
  const caller = await checkKeyAndLimit(mcp.keyChecks, mcp.limiter, request.headers.authorization, reply);
  if (caller.tier === "organization") return caller;
  throw new ServiceError("forbidden", `This endpoint accepts organization keys only; this is a ${caller.tier} key`);
}

type McpResponse = { status: number; headers?: Record<string, string>; body?: string };

async function respond<Services>(
  mcp: McpEndpoint<Services>,
  caller: OrganizationCaller,
  request: FastifyRequest,
): Promise<McpResponse> {
  const message = readMessage(request.body, request.headers);
  if (message.kind === "notification") return { status: 202 };
  if (message.kind === "refusal") return { status: message.status, body: errorBody(message.id, message.error) };
  const handler = (message.era === "modern" ? modernMethods : legacyMethods)[message.method];
  if (handler === undefined) {
    const error = { code: rpcCodes.methodNotFound, message: `Method not found: ${shortened(message.method)}` };
    return { status: message.era === "modern" ? 404 : 200, body: errorBody(message.id, error) };
  }
  try {
    const db = observedDatabase(mcp.tools.db, request.observation);
    const call: MethodCall = {
      message,
      listTools: async () => listedTools(mcp.list, caller, (await getHosting(db, caller, null)).any),
      callTool: (name, args) => runNamedTool({ ...mcp, tools: { ...mcp.tools, db } }, caller, name, args, request),
    };
    const outcome = await handler(call);
    return typeof outcome === "string"
      ? { status: 200, body: resultBody(message.era, message.id, outcome) }
      : { status: 200, body: errorBody(message.id, { code: rpcCodes.invalidParams, message: outcome.invalid }) };
  } catch (error) {
    return error instanceof ServiceError ? failure(error, message.id) : unexpected(error, request, message.id);
  }
}

/** What a method returns: the fields of its result as JSON, or what is wrong with the parameters. */
type Outcome = string | { invalid: string };

type MethodCall = {
  message: RpcRequest;
  listTools(): Promise<string>;
  callTool(name: string, args: Record<string, unknown>): Promise<Outcome>;
};

type Method = (call: MethodCall) => Promise<Outcome>;

const capabilities = { tools: {} };
const discoverTtlMs = 3_600_000;
/** Short, because a role or a scope may change at any time; every call is checked again in any case. */
const listTtlMs = 60_000;

/** Without a prototype, so that a method name cannot reach inherited properties. */
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
  "tools/call": runCall,
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
  "tools/call": runCall,
} satisfies Record<string, Method>);

async function listTools({ message, listTools: list }: MethodCall): Promise<Outcome> {
  return message.params.cursor ? { invalid: "cursor: the list has one page and takes no cursor" } : list();
}

async function runCall({ message, callTool: call }: MethodCall): Promise<Outcome> {
  const { name, arguments: args } = message.params;
  if (typeof name !== "string") return { invalid: "name: expected the name of a tool" };
  if (args === undefined || args === null) return call(name, {});
  return isObject(args) ? call(name, args) : { invalid: "arguments: expected an object" };
}

async function runNamedTool<Services>(
  mcp: McpEndpoint<Services>,
  caller: OrganizationCaller,
  name: string,
  args: Record<string, unknown>,
  request: FastifyRequest,
): Promise<Outcome> {
  const { observation } = request;
  const prepared = mcp.list.tools.find(({ tool }) => tool.name === name);
  if (prepared === undefined) return { invalid: unknownTool(name) };
  const { tool, schema } = prepared;
  const hosting = tool.event === undefined ? undefined : await getHosting(mcp.tools.db, caller, uuidIn(args.event_id));
  const availability = { caller, hostsEvents: hosting?.any ?? false, deployed: mcp.list.deployed };
  if (!isAvailable(tool, availability)) return { invalid: unknownTool(name) };
  try {
    const call = { tool, schema, caller, args, ...(hosting === undefined ? {} : { hosting }) };
    return toolResult(await callTool(mcp.tools, call, observation));
  } catch (error) {
    const known = knownToolError(error);
    if (known !== undefined) return known;
    observation.error = error;
    return toolError("internal", internalErrorMessage(request.id), { request_id: request.id });
  }
}

function uuidIn(value: unknown): string | null {
  return typeof value === "string" && uuidPattern.test(value) ? value : null;
}

/** Errors before a message is read. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ServiceError ? error : fromFastify(error, request);
  if (known === undefined) {
    const { status, body } = unexpected(error, request, undefined);
    return sendJson(reply, status, body);
  }
  const { status, headers, body } = failure(known, undefined);
  reply.headers(headers);
  return sendJson(reply, status, body);
}

/** Uses the HTTP status as JSON-RPC code: that range is not reserved. */
function failure(error: ServiceError, id: Id | undefined) {
  const status = statusOf(error.code);
  const code = status === 400 ? rpcCodes.parseError : status;
  const data = { ...error.details, code: error.code };
  return { status, headers: error.headers, body: errorBody(id, { code, message: error.message, data }) };
}

function unexpected(error: unknown, request: FastifyRequest, id: Id | undefined) {
  request.observation.error = error;
  const message = internalErrorMessage(request.id);
  const body = errorBody(id, { code: rpcCodes.internalError, message, data: { code: "internal" } });
  return { status: statusOf("internal"), body };
}

async function sendCompressed(
  compress: Compressor,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> {
  const { coding, ...sent } = await compress(body, request.headers["accept-encoding"]);
  if (coding !== undefined) reply.header("content-encoding", coding);
  return reply.type("application/json; charset=utf-8").send(sent.body);
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}
