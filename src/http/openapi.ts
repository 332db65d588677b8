import type { z } from "zod";
import type { Config } from "../config.js";
import { documentedErrors, errorCodes, errorTable } from "../platform/errors.js";
import { apiVersion } from "../platform/version.js";
import { braces, ignoredHeader, type RemovedEndpoint, type Route } from "../route.js";
import { errorContent, fieldsOf, type Json, jsonContent, jsonSchemaOf, mergePatchType } from "../schema/json-schema.js";
import type { ApiSurface } from "./discovery.js";

/** The HTTP surface as OpenAPI 3.1. */
export function openapiDocument(config: Pick<Config, "publicUrl" | "limits">, surface: ApiSurface): object {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of surface.routes) {
    const path = braces(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  for (const endpoint of surface.removedEndpoints) paths[braces(endpoint.path)] = { get: removedOperation(endpoint) };
  Object.assign(paths, surface.ticketing.openapiPaths, surface.mcp.openapiPaths);
  return {
    openapi: "3.1.0",
    info: {
      title: surface.about.name,
      version: apiVersion,
      description: `${config.limits.rest} requests per minute per key; the X-RateLimit-* headers show how many remain.`,
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

const errorSchema = {
  type: "object",
  properties: {
    error: { type: "string", description: "what was wrong and what to do" },
    code: { type: "string", enum: errorCodes, description: "what to branch on; codes may be added" },
    request_id: { type: "string", description: "also in X-Request-Id; the log has the details under it" },
    field: { type: "string", description: "the first wrong field, parameter or header, if one of them is wrong" },
  },
  required: ["error", "code", "request_id"],
};

function operation(route: Route, components: Map<string, Json>): Json {
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.access === "public" ? { security: [] } : {}),
    ...(route.access === "key" && route.scope !== null ? { "x-scope": route.scope } : {}),
    ...(route.access === "key" && route.role !== undefined ? { "x-role": route.role } : {}),
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query")],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyContent(route, schemaOf(route.body, "input", components)) } }),
    responses: { 200: successResponse(route, components), ...errorResponses(route) },
  };
}

function bodyContent({ method }: Route, schema: Json): Json {
  return method === "PATCH" ? { ...jsonContent(schema), [mergePatchType]: { schema } } : jsonContent(schema);
}

function successResponse(route: Route, components: Map<string, Json>): Json {
  const schema = schemaOf(route.response, "output", components);
  const isFile = schema.format === "binary";
  return {
    description: route.summary,
    headers: { ...(route.access === "key" ? rateLimitHeaders : {}), ...responseHeaders(route) },
    content: isFile ? { "image/*": {} } : jsonContent(schema),
  };
}

function errorResponses(route: Route): Json {
  const responses: Record<number, Json> =
    route.method === "GET" ? { 304: { description: "Not modified: If-None-Match names the current ETag" } } : {};
  const applies = { all: true, authenticated: route.access === "key", "with body": route.body !== undefined };
  for (const { status, condition, documentedOn } of documentedErrors("rest")) {
    if (documentedOn !== undefined && applies[documentedOn]) {
      responses[status] = { description: condition, content: errorContent };
    }
  }
  for (const [status, description] of Object.entries(route.errors ?? {})) {
    responses[Number(status)] = { description, content: errorContent };
  }
  return responses;
}

function responseHeaders(route: Route): Json {
  const pages = route.query !== undefined && "cursor" in route.query.shape;
  return {
    ETag: { description: "strong", schema: { type: "string" } },
    [ignoredHeader]: {
      description: "the query parameters that this operation does not have",
      schema: { type: "string" },
    },
    ...(pages ? { Link: { description: 'the next page, as rel="next"', schema: { type: "string" } } } : {}),
  };
}

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
    description: `Removed: use ${braces(endpoint.successor)}. Every method returns 410.`,
    deprecated: true,
    parameters: [...braces(endpoint.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    responses: {
      410: { description: errorTable.gone.causes.rest, content: errorContent },
      ...Object.fromEntries(
        documentedErrors("rest")
          .filter(({ documentedOn, code }) => /^(all|authenticated)$/.test(documentedOn ?? "") && code !== "forbidden")
          .map(({ status, condition }) => [status, { description: condition, content: errorContent }]),
      ),
    },
  };
}

function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace("*", "path").replace(/[^A-Za-z0-9]+/g, "_")}`;
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

/** A schema for an operation. Schemas with an id become components and are referenced. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Map<string, Json>): Json {
  const { root, definitions } = jsonSchemaOf(schema, io);
  for (const [name, definition] of Object.entries(definitions)) components.set(name, withReferences(definition));
  return withReferences(root);
}

function withReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
