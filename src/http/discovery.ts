import type { z } from "zod";
import { documentedErrors, errorCodes } from "../../contract/errors.js";
import { organizationKeyDays } from "../../contract/nouns.js";
import { defaultLimit, maximumLimit } from "../../contract/schema/page.js";
import { scopeGrants, scopeText } from "../../contract/scopes.js";
import { tiers } from "../access/caller.js";
import type { Config } from "../config.js";
import { windowSeconds } from "../infra/rate-limit.js";
import { keyPrefix } from "../infra/secrets.js";
import { apiVersion } from "../infra/version.js";
import { braces, type EndpointDescription, type RemovedEndpoint, type Route } from "../route.js";
import { fieldsOf, type SchemaCollection } from "../schema/json-schema.js";

/** Everything that the API description and OpenAPI are built from. */
export type ApiSurface = {
  about: { name: string; description: string; workflow(baseUrl: string): string[] };
  routes: Route[];
  removedEndpoints: RemovedEndpoint[];
  /** How the other endpoints describe themselves. */
  ticketing: EndpointDescription;
  mcp: EndpointDescription;
};

/** The body of GET /api/svc. Every `schema` is JSON Schema and may refer to `#/schemas/…` of this document. */
export function discoveryDocument(
  config: Pick<Config, "publicUrl" | "limits">,
  surface: ApiSurface,
  schemas: SchemaCollection,
): object {
  const base = config.publicUrl;
  const { about, routes, removedEndpoints, ticketing, mcp } = surface;
  return {
    name: about.name,
    version: apiVersion,
    description: about.description,
    base_url: base,
    documentation_url: `${base}/docs`,
    openapi_url: `${base}/openapi.json`,
    authentication: {
      type: "bearer",
      header: "Authorization: Bearer <API_KEY>",
      key_format: `${keyPrefix}{random}`,
      tiers: Object.entries(tiers).map(([tier, { access, createdBy, createdOn }]) => ({
        tier,
        access,
        created_by: createdBy,
        created_at_url: base + createdOn,
      })),
      scopes: Object.entries(scopeGrants).map(([scope, grants]) => ({ scope, grants })),
      organization_key_lifetime_days: organizationKeyDays,
    },
    workflow: about.workflow(base),
    endpoints: routes.map((route) => describeRoute(route, schemas)),
    removed_endpoints: removedEndpoints.map(({ path, successor }) => ({
      path: braces(path),
      status: 410,
      use_instead: braces(successor),
    })),
    ticketing: ticketing.discovery,
    mcp: mcp.discovery,
    error_body: { schema: errorSchema, example: errorSchema.examples[0] },
    errors: documentedErrors("rest").map(({ status, code, error, condition }) => ({ status, code, error, condition })),
    limits: {
      window_seconds: windowSeconds,
      rest: { requests: config.limits.rest, per: "API key", paths: "/api/svc/*" },
      ticketing: ticketing.discovery.limit,
      mcp: mcp.discovery.limit,
      page_size: { default: defaultLimit, maximum: maximumLimit },
      headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"],
    },
    // Last: describing the endpoints has collected them.
    schemas: schemas.byName,
  };
}

function describeRoute(route: Route, schemas: SchemaCollection): object {
  return {
    method: route.method,
    path: braces(route.path),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    authentication: route.access === "key",
    scope: route.access === "key" && route.scope !== null ? scopeText(route.scope) : null,
    ...(route.access === "key" && route.role !== undefined ? { role: route.role } : {}),
    parameters: [...describeFields(route.params, "path"), ...describeFields(route.query, "query")],
    body: route.body === undefined ? null : describeFields(route.body, "body"),
    response: describeResponse(route, schemas),
  };
}

function describeResponse(route: Route, schemas: SchemaCollection): object {
  const schema = schemas.add(route.response, "output");
  if (schema.format === "binary") return { content_type: "image/*" };
  return { content_type: "application/json", schema, example: route.examples.response };
}

function describeFields(schema: z.ZodObject | undefined, place: "path" | "query" | "body"): object[] {
  if (schema === undefined) return [];
  return fieldsOf(schema).map(
    ({ name, required, field: { type, format, enum: values, default: value, description } }) => ({
      name,
      in: place,
      required,
      type,
      format,
      values,
      default: value,
      description,
    }),
  );
}

/** The body of every error of REST and the ticketing proxy. */
export const errorSchema = {
  type: "object",
  properties: {
    error: { type: "string", description: "what was wrong and what to do" },
    code: {
      type: "string",
      examples: errorCodes,
      description: "what to branch on: one of the examples, or one that was added since",
    },
    request_id: { type: "string", description: "also in X-Request-Id; the log has the details under it" },
    field: { type: "string", description: "the first wrong field, parameter or header, if one of them is wrong" },
  },
  required: ["error", "code", "request_id"],
  examples: [
    {
      error: "limit: expected an integer from 1; more than 200 counts as 200",
      code: "invalid_input",
      request_id: "0d0b1f6e-3a53-4b1f-9d4c-4c3b2f5a8f10",
      field: "limit",
    },
  ],
};
