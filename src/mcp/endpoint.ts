import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { internalErrorMessage, ServiceError, statusOf } from "../../contract/errors.js";
import { scopes, scopesOf, scopeText } from "../../contract/scopes.js";
import { authenticate } from "../access/api-key.js";
import { getCallerNames } from "../access/caller-names.js";
import { countRequest, credentialId, type KeyChecks } from "../access/check-request.js";
import { type HostingCallerFinder, hostingCallerFinder } from "../access/hosting.js";
import type { Compressor } from "../infra/compress.js";
import { fromFastify } from "../infra/fastify-errors.js";
import { observe, observedDatabase } from "../infra/observability/observation.js";
import type { RateLimiter } from "../infra/rate-limit.js";
import { jsonType, representationOf } from "../infra/representation.js";
import { toolBodyLimitBytes } from "../runner/commit-arguments.js";
import { isReplay } from "../runner/commit-once.js";
import type { Tool } from "../runner/mutation.js";
import { callTool, replayTool, type ToolDependencies } from "../runner/run.js";
import type { NamedTool, ToolResult } from "../runner/tool.js";
import { instructionsFor } from "./instructions.js";
import { methods, type Outcome } from "./methods.js";
import type { ResourceResults } from "./preview-card.js";
import { completionResult, listedPrompts, type PromptList, promptResult } from "./prompt-list.js";
import {
  createSourceCheck,
  type Era,
  type Id,
  type Message,
  newUiSession,
  type RpcRequest,
  readBatch,
  readMessage,
  rpcCodes,
  shortened,
  type TrustedSources,
} from "./protocol.js";
import { errorBody, knownToolError, resultBody, resultEnd, toolError, toolResult, unknownTool } from "./results.js";
import { isListed, type ListView, listedTools, selectedTools, type ToolList } from "./tool-list.js";

export const mcpPath = "/api/mcp";

/** Describes the endpoint to clients that look for its authorization server (RFC 9728). */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

export type McpEndpoint<Services> = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  tools: ToolDependencies<Services>;
  list: ToolList<Services>;
  prompts: PromptList;
  resources: Record<Era, ResourceResults>;
  sources: TrustedSources;
  compress: Compressor;
};

/** Checks in this order: Host and Origin → method → key → rate limit → tier → body → message. */
export function addMcpEndpoint<Services>(app: FastifyInstance, mcp: McpEndpoint<Services>): void {
  const callers = new WeakMap<FastifyRequest, ListView>();
  const checkSource = createSourceCheck(mcp.sources);
  const findCaller = hostingCallerFinder(mcp.tools.db.lookups);
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
    scope.addHook("onRequest", async (request) => checkSource(request.headers));
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
      bodyLimit: toolBodyLimitBytes,
      onRequest: async (request, reply) => {
        callers.set(request, await checkCaller(mcp, findCaller, request, reply));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("the MCP handler ran without a caller");
        const batch = readBatch(request.body, request.headers);
        const { status, headers, body } = Array.isArray(batch)
          ? await respondToBatch(mcp, caller, request, batch, () => checkCaller(mcp, findCaller, request, reply))
          : await respond(mcp, caller, request, batch ?? readMessage(request.body, request.headers));
        if (headers !== undefined) reply.headers(headers);
        reply.code(status);
        if (body === undefined) return reply.send();
        const acceptEncoding = request.headers["accept-encoding"];
        const { coding, body: bytes } = await mcp.compress(representationOf({ body }), acceptEncoding);
        if (coding !== undefined) reply.header("content-encoding", coding);
        return reply.type(jsonType).send(bytes);
      },
    });
  });
}

async function checkCaller<Services>(
  { keyChecks, limiter, tools }: McpEndpoint<Services>,
  findCaller: HostingCallerFinder,
  { headers, observation }: FastifyRequest,
  reply: FastifyReply,
): Promise<ListView> {
  const { caller, ...hosting } = await authenticate(
    headers.authorization,
    (hash, isToken) => observe(observation, "database", "find hosting callers", () => findCaller({ hash, isToken })),
    { resourceMetadataUrl: tools.baseUrl + resourceMetadataPath },
  );
  await countRequest(keyChecks, limiter, caller, credentialId(caller), reply);
  if (caller.tier === "organization") return { caller, ...hosting };
  throw new ServiceError(
    "forbidden",
    `This endpoint accepts organization keys only; this is a ${caller.tier} key. Owners of an organization create keys in the console`,
  );
}

type McpResponse = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** One message after the other, each checked and counted like a request of its own; the first of them already was. */
async function respondToBatch<Services>(
  mcp: McpEndpoint<Services>,
  first: ListView,
  request: FastifyRequest,
  batch: unknown[],
  checkAgain: () => Promise<ListView>,
): Promise<McpResponse> {
  const responses: string[] = [];
  for (const [place, each] of batch.entries()) {
    const message = readMessage(each, request.headers);
    const { body } = await (place === 0 ? Promise.resolve(first) : checkAgain()).then(
      (view) => respond(mcp, view, request, message),
      (error: unknown) => refuseMessage(error, request, message),
    );
    if (body !== undefined) responses.push(String(body));
  }
  return responses.length === 0 ? { status: 202 } : { status: 200, body: `[${responses.join(",")}]` };
}

/** The response to a message whose caller is refused, such as one above the rate limit. */
function refuseMessage(error: unknown, request: FastifyRequest, message: Message): McpResponse {
  if (message.kind === "notification") return { status: 202 };
  return error instanceof ServiceError ? failure(error, message.id) : unexpected(error, request, message.id);
}

async function respond<Services>(
  mcp: McpEndpoint<Services>,
  caller: ListView,
  request: FastifyRequest,
  message: Message,
): Promise<McpResponse> {
  if (message.kind === "notification") return { status: 202 };
  if (message.kind === "refusal") return { status: message.status, body: errorBody(message.id, message.error) };
  const { era, id, method } = message;
  const handler = methods[era][method];
  if (handler === undefined) {
    const error = { code: rpcCodes.methodNotFound, message: `Method not found: ${shortened(method)}` };
    return { status: era === "modern" ? 404 : 200, body: errorBody(id, error) };
  }
  const selection = selectedTools(mcp.list, request.query);
  if ("problem" in selection) {
    return { status: 400, body: errorBody(id, { code: rpcCodes.invalidParams, message: selection.problem }) };
  }
  const view = { ...caller, ...selection };
  try {
    const outcome = await handler({
      message,
      instructions: async () => {
        const names = await getCallerNames(observedDatabase(mcp.tools.db, request.observation), view.caller);
        return instructionsFor(mcp.list, view, names, mcp.tools.baseUrl);
      },
      listTools: () => listedTools(mcp.list, era, view, message.showsViews),
      callTool: (name, args) => runNamedTool(mcp, view, { name, args, showsViews: message.showsViews }, request),
      listPrompts: () => listedPrompts(mcp.prompts, mcp.list, era, view),
      getPrompt: (name, args) => promptResult(mcp.prompts, mcp.list, view, name, args),
      complete: (params) => completionResult(mcp.prompts, mcp.list, view, params),
      resources: mcp.resources[era],
    });
    const headers = sessionHeaders(message);
    if (typeof outcome === "string") return { status: 200, headers, body: resultBody(era, id, outcome) };
    if (Buffer.isBuffer(outcome)) return { status: 200, body: Buffer.concat([outcome, Buffer.from(resultEnd(id))]) };
    if ("fields" in outcome) return { status: 200, body: resultBody(era, id, outcome.fields, outcome.meta) };
    const { invalid, code = rpcCodes.invalidParams, data } = outcome;
    return { status: 200, body: errorBody(id, { code, message: invalid, ...(data === undefined ? {} : { data }) }) };
  } catch (error) {
    return error instanceof ServiceError ? failure(error, id) : unexpected(error, request, id);
  }
}

/** Only clients that show views get a session: its id repeats what `initialize` said. */
function sessionHeaders({ era, method, showsViews }: RpcRequest): Record<string, string> {
  const isNeeded = era === "legacy" && method === "initialize" && showsViews;
  return isNeeded ? { "mcp-session-id": newUiSession() } : {};
}

type NamedCall = { name: string; args: Record<string, unknown>; showsViews: boolean };

async function runNamedTool<Services>(
  mcp: McpEndpoint<Services>,
  view: ListView,
  { name, args, showsViews }: NamedCall,
  request: FastifyRequest,
): Promise<Outcome> {
  const { observation } = request;
  const prepared = mcp.list.byName.get(name);
  const { caller } = view;
  const unknown = () => ({
    invalid: unknownTool(name, { baseUrl: mcp.tools.baseUrl, organization: caller.organizationId }),
  });
  if (prepared === undefined) return unknown();
  const { tool } = prepared;
  const dependencies = { ...mcp.tools, db: observedDatabase(mcp.tools.db, observation) };
  if (!isListed(mcp.list, view, tool)) {
    const replay = await replayTool(dependencies, { tool, caller, args });
    if (replay !== undefined) return outcomeOf(replay);
    requireGrantedScope(mcp, view, tool);
    return unknown();
  }
  try {
    const result = await callTool(dependencies, { tool, caller, args }, observation);
    return outcomeOf(result, showsViews && tool.kind === "mutation" ? tool : undefined);
  } catch (error) {
    const known = knownToolError(error);
    if (known !== undefined) return known;
    observation.error = error;
    return toolError("internal", internalErrorMessage(request.id), { request_id: request.id });
  }
}

/** An app can ask its person for the scope that it lacks: a refusal names it, where nothing else is missing. */
function requireGrantedScope<Services>(
  { list, tools: { baseUrl } }: McpEndpoint<Services>,
  view: ListView,
  tool: Tool<Services>,
): void {
  const { caller } = view;
  if (caller.via.kind !== "app" || !isListed(list, { ...view, caller: { ...caller, scopes: [...scopes] } }, tool))
    return;
  const [needed] = scopesOf(tool.scope);
  const wanted = scopes.filter((scope) => caller.scopes.includes(scope) || scope === needed);
  const challenge = `error="insufficient_scope", scope="${wanted.join(" ")}", resource_metadata="${baseUrl}${resourceMetadataPath}"`;
  const message = `${tool.name} needs the scope ${scopeText(tool.scope)}, which this app was not given. Connect the app again with it`;
  throw new ServiceError("forbidden", message, { headers: { "www-authenticate": `Bearer realm="svc", ${challenge}` } });
}

/** A repeated commit has the result of the first; that it is one is in `_meta`. */
function outcomeOf(result: ToolResult, viewed?: NamedTool): Outcome {
  const fields = toolResult(result, viewed);
  return isReplay(result) ? { fields, meta: { replayed: true } } : fields;
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

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type(jsonType).send(body);
}
