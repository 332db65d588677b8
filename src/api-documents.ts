import type { Config } from "./config.js";
import { type ApiSurface, discoveryDocument } from "./http/discovery.js";
import { openapiDocument } from "./http/openapi.js";
import { describeMcp } from "./mcp/describe-endpoint.js";
import { about, prompts, removedEndpoints, routes, tools } from "./registry.js";
import { collectSchemas, type SchemaCollection } from "./schema/json-schema.js";
import { describeTicketing, ticketingPaths } from "./ticketing/describe.js";

/** The two documents that describe this deployment, derived from the registry. */
export function apiDocuments(config: Pick<Config, "publicUrl" | "limits" | "mcpTools">): {
  discovery: object;
  openapi: object;
} {
  const surface = (schemas: SchemaCollection): ApiSurface => ({
    about,
    routes,
    removedEndpoints,
    ticketing: {
      discovery: describeTicketing(config.publicUrl, config.limits.ticketing, schemas),
      openapiPaths: ticketingPaths(schemas),
    },
    mcp: describeMcp(config, tools, prompts),
  });
  const [described, components] = [collectSchemas("#/schemas/"), collectSchemas("#/components/schemas/")];
  return {
    discovery: discoveryDocument(config, surface(described), described),
    openapi: openapiDocument(config, surface(components), components),
  };
}
