import { z } from "zod";
import { tiers } from "../access/caller.js";
import { scopes } from "../access/scopes.js";
import { definePublicRoute, defineRoute, json } from "../route.js";
import { timestamp, uuid } from "../schema/fields.js";

export const describeService = definePublicRoute({
  method: "GET",
  path: "/api/svc",
  summary: "The full API description",
  response: z.looseObject({ name: z.string(), version: z.string() }).meta({ id: "ApiDescription" }),
  handle: ({ documents }) => ({ body: documents.discovery }),
});

export const describeOpenApi = definePublicRoute({
  method: "GET",
  path: "/openapi.json",
  summary: "The API description as OpenAPI 3.1",
  response: z.looseObject({ openapi: z.string() }),
  handle: ({ documents }) => ({ body: documents.openapi }),
});

const keyInformation = z
  .object({
    name: z.string(),
    scope: z.enum(Object.keys(tiers)).meta({ description: "the tier of the key" }),
    scopes: z.array(z.enum(scopes)).nullable().meta({ description: "scopes of an organization key, else null" }),
    conference_id: uuid.nullable(),
    organization_id: uuid.nullable(),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().meta({ description: "precise to the minute" }),
  })
  .meta({ id: "KeyInformation" });

export const ping = defineRoute({
  method: "GET",
  path: "/api/svc/ping",
  summary: "Validate the key",
  scope: null,
  response: keyInformation,
  handle: ({ caller }) =>
    json({
      name: caller.via.keyName,
      scope: caller.tier,
      scopes: caller.tier === "organization" ? caller.scopes : null,
      conference_id: caller.tier === "conference" ? caller.conferenceId : null,
      organization_id: caller.tier === "organization" ? caller.organizationId : null,
      expires_at: caller.via.expiresAt,
      last_used_at: caller.via.lastUsedAt,
    } satisfies Record<keyof z.infer<typeof keyInformation>, unknown>),
});
