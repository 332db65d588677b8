import type { z } from "zod";
import { keyPrefix, organizationKeyDays } from "../access/api-key.js";
import { tiers } from "../access/caller.js";
import { scopeGrants } from "../access/scopes.js";
import type { Config } from "../config.js";
import { windowSeconds } from "../platform/rate-limit.js";
import type { RemovedEndpoint, Route } from "../route.js";
import { fieldsOf } from "../schema/json-schema.js";
import { defaultLimit, maximumLimit } from "../schema/page.js";
import { describeTicketing } from "../ticketing/describe.js";
import { sharedErrors } from "./shared-errors.js";

export const apiVersion = "5";

/** The body of GET /api/svc, derived from the declarations so that it cannot lag behind them. */
export function discoveryDocument(
  config: Pick<Config, "publicUrl" | "limits">,
  routes: Route[],
  removedEndpoints: RemovedEndpoint[],
  mcp: object,
): object {
  const base = config.publicUrl;
  return {
    name: "Event Platform API",
    version: apiVersion,
    description:
      "Conferences, their events and the events' posters, for agents that post them and people who host them.",
    base_url: base,
    documentation_url: `${base}/api/svc`,
    openapi_url: `${base}/openapi.json`,
    authentication: {
      type: "bearer",
      header: "Authorization: Bearer <API_KEY>",
      key_format: `${keyPrefix}{random}`,
      tiers: Object.entries(tiers).map(([tier, { access, created_by }]) => ({ tier, access, created_by })),
      scopes: Object.entries(scopeGrants).map(([scope, grants]) => ({ scope, grants })),
      organization_key_lifetime_days: organizationKeyDays,
    },
    workflow: [
      `Validate the key: GET ${base}/api/svc/ping`,
      `List conferences: GET ${base}/api/svc/conferences`,
      `List events of a conference: GET ${base}/api/svc/conferences/{id}/events`,
      `List published posters: GET ${base}/api/svc/posters?published=true`,
      "Download image_url of a poster and post it to social media",
      "Use the poster's metadata for caption context",
      `Report the resulting URLs: PATCH ${base}/api/svc/posters/{id} with {"posted_urls": {"<platform>": "<url>"}}`,
    ],
    endpoints: routes.map(describeRoute),
    removed_endpoints: removedEndpoints.map(({ path, successor }) => ({
      path: braces(path),
      status: 410,
      use_instead: successor,
    })),
    ticketing: describeTicketing(base, config.limits.ticketing),
    mcp,
    errors: sharedErrors.map(({ status, error, condition }) => ({ status, error, condition })),
    limits: {
      window_seconds: windowSeconds,
      rest: { requests: config.limits.rest, per: "API key", paths: "/api/svc/*" },
      ticketing: { requests: config.limits.ticketing, per: "organization", paths: "/api/ticketing/*" },
      mcp: { requests: config.limits.mcp, per: "API key", paths: "/api/mcp" },
      page_size: { default: defaultLimit, maximum: maximumLimit },
      headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"],
    },
  };
}

export function braces(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function describeRoute(route: Route): object {
  return {
    method: route.method,
    path: braces(route.path),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    authentication: route.access === "key",
    scope: route.access === "key" ? route.scope : null,
    parameters: [...describeFields(route.params, "path"), ...describeFields(route.query, "query")],
    body: route.body === undefined ? null : describeFields(route.body, "body"),
  };
}

function describeFields(schema: z.ZodObject | undefined, place: "path" | "query" | "body"): object[] {
  if (schema === undefined) return [];
  return fieldsOf(schema).map(({ name, required, field: { type, format, enum: values, description } }) => ({
    name,
    in: place,
    required,
    type,
    format,
    values,
    description,
  }));
}
