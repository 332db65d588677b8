import type { z } from "zod";
import { documentedErrors, errorTable } from "../../contract/errors.js";
import { scopeText } from "../../contract/scopes.js";
import type { Config } from "../config.js";
import { ignoredFieldsHeader, ignoredParametersHeader } from "../infra/ignored-names.js";
import { apiVersion } from "../infra/version.js";
import { braces, type RemovedEndpoint, type Route, tags } from "../route.js";
import { fieldsOf, type Json, jsonContent, mergePatchType, type SchemaCollection } from "../schema/json-schema.js";
import { errorResponse, errorResponses, header, headerComponents, rateLimitHeaders } from "../schema/openapi.js";
import { type ApiSurface, errorSchema } from "./discovery.js";

/** The HTTP surface as OpenAPI 3.1. */
export function openapiDocument(
  config: Pick<Config, "publicUrl" | "limits">,
  surface: ApiSurface,
  schemas: SchemaCollection,
): object {
  const paths: Record<string, Json> = {};
  for (const route of surface.routes) {
    const path = braces(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  for (const endpoint of surface.removedEndpoints) paths[braces(endpoint.path)] = { get: removedOperation(endpoint) };
  Object.assign(paths, surface.ticketing.openapiPaths, surface.mcp.openapiPaths);
  const responses = shareErrors(Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]));
  return {
    openapi: "3.1.0",
    info: {
      title: surface.about.name,
      version: apiVersion,
      description: `${config.limits.rest} requests per minute per key; the X-RateLimit-* headers show how many remain.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Guides, reference and search", url: `${config.publicUrl}/docs` },
    servers: [{ url: config.publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "svc_mk_{random}" } },
      headers: headerComponents,
      responses,
      schemas: { Error: errorSchema, ...schemas.byName, ...surface.mcp.openapiSchemas },
    },
  };
}

type Operation = { tags: string[]; responses: Record<string, Json> };

/**
 * Makes the errors that several operations have components, and returns these by name. One that differs from a component by
 * its description alone has it next to the reference.
 */
function shareErrors(operations: Operation[]): Record<string, Json> {
  const shared = new Map<string, { name: string; response: Json }>();
  const uses = new Map<string, number>();
  const errors = operations.flatMap(({ tags: [tag = ""], responses }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const { "x-code": code } = response;
      return typeof code === "string"
        ? [{ tag, status, code, response, responses, text: JSON.stringify(response) }]
        : [];
    }),
  );
  for (const { text } of errors) uses.set(text, (uses.get(text) ?? 0) + 1);
  for (const { tag, code, response, text, status, responses } of errors) {
    if (uses.get(text) === 1) continue;
    if (!shared.has(text)) {
      const taken = [...shared.values()].some(({ name }) => name === inPascalCase(code));
      shared.set(text, { name: inPascalCase(taken ? `${tag}_${code}` : code), response });
    }
    responses[status] = { $ref: `#/components/responses/${shared.get(text)?.name}` };
  }
  const components = [...shared.values()];
  for (const { response, text, status, responses } of errors) {
    const similar = shared.has(text) ? undefined : components.find((each) => isAlike(each.response, response));
    if (similar === undefined) continue;
    responses[status] = { $ref: `#/components/responses/${similar.name}`, description: response.description };
  }
  return Object.fromEntries(components.map(({ name, response }) => [name, response]));
}

/** Whether only their descriptions differ. */
function isAlike(one: Json, other: Json): boolean {
  return JSON.stringify({ ...one, description: "" }) === JSON.stringify({ ...other, description: "" });
}

function inPascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function operation(route: Route, schemas: SchemaCollection): Json {
  const { params, query, body, response } = route.examples;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.access === "public" ? { security: [] } : {}),
    ...(route.access === "key" && route.scope !== null ? { "x-scope": scopeText(route.scope) } : {}),
    ...(route.access === "key" && route.role !== undefined ? { "x-role": route.role } : {}),
    parameters: [
      ...parameters(route.params, "path", params),
      ...parameters(route.query, "query", query),
      ...conditionalHeaders(route),
    ],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyContent(route, schemas.add(route.body, "input"), body) } }),
    responses: { 200: successResponse(route, schemas.add(route.response, "output"), response), ...failures(route) },
  };
}

function bodyContent({ method }: Route, schema: Json, example: unknown): Json {
  const content = jsonContent(schema, example);
  return method === "PATCH" ? { ...content, [mergePatchType]: { schema } } : content;
}

function successResponse(route: Route, schema: Json, example: unknown): Json {
  const isFile = schema.format === "binary";
  return {
    description: route.summary,
    headers: { ...(route.access === "key" ? rateLimitHeaders : {}), ...responseHeaders(route) },
    content: isFile ? { "image/*": {} } : jsonContent(schema, example),
  };
}

function failures(route: Route): Json {
  const applies = { all: true, authenticated: route.access === "key", "with body": route.body !== undefined };
  const common = documentedErrors("rest");
  const declared = Object.entries(route.errors ?? {}).map(([status, description]) => {
    const code = common.find((error) => error.status === Number(status))?.code ?? "internal";
    return [status, errorResponse(Number(status), description, code)];
  });
  return {
    ...(route.method === "GET"
      ? {
          304: {
            description: "not modified: If-None-Match names the current ETag",
            headers: { ETag: header("ETag") },
          },
        }
      : {}),
    ...errorResponses(common.filter(({ documentedOn }) => documentedOn !== undefined && applies[documentedOn])),
    ...Object.fromEntries(declared),
  };
}

function responseHeaders(route: Route): Json {
  const pages = route.query !== undefined && "cursor" in route.query.shape;
  return {
    ETag: header("ETag"),
    [ignoredParametersHeader]: header("IgnoredQueryParameters"),
    ...(route.body === undefined ? {} : { [ignoredFieldsHeader]: header("IgnoredFields") }),
    ...(pages ? { Link: header("NextPage") } : {}),
  };
}

/** Every GET has an ETag; a route that documents a 412 compares it before it writes. */
function conditionalHeaders(route: Route): Json[] {
  const named = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  return [
    ...(route.method === "GET" ? [named("If-None-Match", "an ETag; 304 if it is still the current one")] : []),
    ...(route.errors?.[412] === undefined ? [] : [named("If-Match", "an ETag; 412 if it is not the current one")]),
  ];
}

function removedOperation(endpoint: RemovedEndpoint): Json {
  return {
    operationId: endpoint.operationId,
    tags: ["removed"],
    summary: "Removed",
    description: `Removed: use ${braces(endpoint.successor)}. Every method returns 410.`,
    deprecated: true,
    parameters: [...braces(endpoint.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    responses: errorResponses([
      ...documentedErrors("rest").filter(
        ({ documentedOn, code }) => /^(all|authenticated)$/.test(documentedOn ?? "") && code !== "forbidden",
      ),
      ...documentedErrors("rest").filter(({ status }) => status === errorTable.gone.status),
    ]),
  };
}

function parameters(
  schema: z.ZodObject | undefined,
  place: "path" | "query",
  examples: Record<string, unknown> = {},
): Json[] {
  if (schema === undefined) return [];
  return fieldsOf(schema).map(({ name, required, field: { description, ...rest } }) => ({
    name,
    in: place,
    required: place === "path" || required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(examples[name] === undefined ? {} : { example: typedAs(rest.type, examples[name]) }),
  }));
}

/** Query parameters are strings on the wire and have their type in the document. */
function typedAs(type: unknown, value: unknown): unknown {
  return type === "integer" || type === "boolean" ? JSON.parse(String(value)) : value;
}
