import type { z } from "zod";
import type { Config } from "../config.js";
import type { RemovedEndpoint, Route } from "../route.js";
import { fieldsOf, type Json, jsonSchemaOf } from "../schema/json-schema.js";
import { ticketingPaths } from "../ticketing/describe.js";
import { apiVersion, braces } from "./discovery.js";
import { sharedErrors } from "./shared-errors.js";

/** The REST surface as OpenAPI 3.1, from the same declarations that the routes run by. */
export function openapiDocument(
  config: Pick<Config, "publicUrl" | "limits">,
  routes: Route[],
  removedEndpoints: RemovedEndpoint[],
): object {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = braces(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  for (const endpoint of removedEndpoints) paths[braces(endpoint.path)] = { get: removedOperation(endpoint) };
  Object.assign(paths, ticketingPaths({ content: jsonContent(errorReference) }), {
    "/api/mcp": { post: mcpOperation },
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Event Platform API",
      version: apiVersion,
      description: `Requests are limited to ${config.limits.rest} a minute a key; X-RateLimit-* headers tell where a key stands.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: config.publicUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "svc_mk_{random}" } },
      schemas: { Error: errorSchema, ...Object.fromEntries(components) },
    },
  };
}

const errorSchema = { type: "object", properties: { error: { type: "string" } }, required: ["error"] };

function operation(route: Route, components: Map<string, Json>): Json {
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.access === "public" ? { security: [] } : {}),
    ...(route.access === "key" && route.scope !== null ? { "x-scope": route.scope } : {}),
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query")],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(schemaOf(route.body, "input", components)) } }),
    responses: { 200: successResponse(route, components), ...errorResponses(route) },
  };
}

function successResponse(route: Route, components: Map<string, Json>): Json {
  const schema = schemaOf(route.answer, "output", components);
  const isFile = schema.format === "binary";
  return {
    description: route.summary,
    ...(route.access === "key" ? { headers: rateLimitHeaders } : {}),
    content: isFile ? { "image/*": {} } : jsonContent(schema),
  };
}

function errorResponses(route: Route): Json {
  const responses: Record<number, Json> = {
    304: { description: "Not modified: If-None-Match names the current ETag" },
  };
  if (route.method !== "GET") delete responses[304];
  for (const shared of sharedErrors) {
    const applies =
      shared.when === "always" || (shared.when === "key" ? route.access === "key" : route.body !== undefined);
    if (!applies || shared.status === 410 || shared.status === 404 || shared.status === 405) continue;
    responses[shared.status] = { description: shared.condition, content: jsonContent(errorReference) };
  }
  for (const [status, description] of Object.entries(route.errors ?? {})) {
    responses[Number(status)] = { description, content: jsonContent(errorReference) };
  }
  return responses;
}

/** The Model Context Protocol describes itself: its tools are listed by `tools/list`. */
const mcpOperation: Json = {
  operationId: "post_api_mcp",
  summary: "The MCP endpoint: JSON-RPC 2.0 over stateless Streamable HTTP",
  description: "Organization keys only. Send initialize or server/discover, then tools/list.",
  requestBody: { required: true, content: jsonContent({ type: "object" }) },
  responses: {
    200: { description: "a JSON-RPC response", content: jsonContent({ type: "object" }) },
    202: { description: "a notification was taken" },
    ...Object.fromEntries(
      [400, 401, 403, 404, 413, 415, 429].map((status) => [
        status,
        { description: "a JSON-RPC error", content: jsonContent({ type: "object" }) },
      ]),
    ),
  },
};

const errorReference = { $ref: "#/components/schemas/Error" };

const rateLimitHeaders = Object.fromEntries(
  ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [
    name,
    { schema: { type: "integer" } },
  ]),
);

function removedOperation(endpoint: RemovedEndpoint): Json {
  return {
    operationId: operationId("GET", endpoint.path),
    summary: "Removed",
    description: `Removed: use ${endpoint.successor}. Every method answers 410.`,
    deprecated: true,
    parameters: [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    responses: {
      410: { description: "Gone", content: jsonContent(errorReference) },
      401: { description: "Invalid or expired API key", content: jsonContent(errorReference) },
    },
  };
}

function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`;
}

function parameters(schema: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (schema === undefined) return [];
  return fieldsOf(schema).map(({ name, required, field: { description, ...rest } }) => ({
    name,
    in: place,
    required: place === "path" || required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

/** Schemas with an id become components and are referred to. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Map<string, Json>): Json {
  const { root, definitions } = jsonSchemaOf(schema, io);
  for (const [name, definition] of Object.entries(definitions)) components.set(name, withReferences(definition));
  return withReferences(root);
}

function withReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}
