import { z } from "zod";
import { timestamp, uuid } from "../../contract/schema/fields.js";
import { scopes } from "../../contract/scopes.js";
import { tiers } from "../access/caller.js";
import { digestOf, etagOf } from "../infra/etag.js";
import { definePublicRoute, defineRoute, json } from "../route.js";
import { exampleBaseUrl, exampleIds } from "../schema/examples.js";

const apiDescription = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    base_url: z.url(),
    documentation_url: z.url(),
    openapi_url: z.url(),
  })
  .meta({ id: "ApiDescription" });

export const describeService = definePublicRoute({
  operationId: "describeApi",
  tag: "service",
  method: "GET",
  path: "/api/svc",
  summary: "Describe the whole API",
  description: "Every endpoint, tool, error and limit of this installation, with the shapes of bodies and responses.",
  response: apiDescription,
  examples: {
    response: {
      name: "Event Platform API",
      version: "5",
      description: "Conferences, their events and the events' posters.",
      base_url: exampleBaseUrl,
      documentation_url: `${exampleBaseUrl}/docs`,
      openapi_url: `${exampleBaseUrl}/openapi.json`,
    },
  },
  handle: ({ documents }) => ({ body: documents().discovery }),
});

export const describeOpenApi = definePublicRoute({
  operationId: "describeOpenApi",
  tag: "service",
  method: "GET",
  path: "/openapi.json",
  summary: "Describe the API as OpenAPI 3.1",
  response: z.looseObject({ openapi: z.string() }),
  examples: { response: { openapi: "3.1.0" } },
  handle: ({ documents }) => ({ body: documents().openapi }),
});

const keyInformation = z
  .object({
    name: z.string(),
    tier: z.enum(Object.keys(tiers)),
    scope: z.enum(Object.keys(tiers)).meta({ description: "the same as tier" }),
    scopes: z.array(z.enum(scopes)).nullable().meta({ description: "scopes of an organization key, else null" }),
    conference_id: uuid.nullable(),
    organization_id: uuid.nullable(),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().meta({ description: "precise to the minute" }),
  })
  .meta({ id: "KeyInformation" });

type KeyInformation = Record<keyof z.infer<typeof keyInformation>, unknown>;

export const ping = defineRoute({
  operationId: "ping",
  tag: "service",
  method: "GET",
  path: "/api/svc/ping",
  summary: "Validate the key",
  scope: null,
  response: keyInformation,
  examples: {
    response: {
      name: "Poster agent",
      tier: "organization",
      scope: "organization",
      scopes: ["conferences:read", "events:write"],
      conference_id: null,
      organization_id: exampleIds.organization,
      expires_at: "2027-01-30T10:00:00.000Z",
      last_used_at: "2026-11-01T10:12:00.000Z",
    },
  },
  handle({ caller }) {
    const information = {
      name: caller.via.keyName,
      tier: caller.tier,
      scope: caller.tier,
      scopes: caller.tier === "organization" ? caller.scopes : null,
      conference_id: caller.tier === "conference" ? caller.conferenceId : null,
      organization_id: caller.tier === "organization" ? caller.organizationId : null,
      expires_at: caller.via.expiresAt,
    };
    const all = { ...information, last_used_at: caller.via.lastUsedAt } satisfies KeyInformation;
    // Asking changes when the key was last used, and must not change the ETag.
    return { etag: etagOf(digestOf(JSON.stringify(information))), read: async () => json(all) };
  },
});
