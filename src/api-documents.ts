import type { Config } from "./config.js";
import { type ApiSurface, discoveryDocument } from "./http/discovery.js";
import { openapiDocument } from "./http/openapi.js";
import { describeMcp } from "./mcp/describe-endpoint.js";
import { prompts } from "./mcp/prompts.js";
import { about, removedEndpoints, routes, ticketingOperations, tools } from "./registry.js";
import type { RouteContext } from "./route.js";
import { collectSchemas, type SchemaCollection } from "./schema/json-schema.js";
import { describeTicketing, ticketingOpenapiPaths } from "./ticketing/describe.js";

type Deployment = Pick<Config, "publicUrl" | "limits" | "mcpTools" | "ticketingPaths">;

/** The two documents that describe this deployment, derived from the registry. */
export function apiDocuments(config: Deployment): { discovery: object; openapi: object } {
  const proxied = ticketingOperations[config.ticketingPaths];
  const surface = (schemas: SchemaCollection): ApiSurface => ({
    about,
    routes,
    removedEndpoints,
    ticketing: {
      discovery: describeTicketing(proxied, config.publicUrl, config.limits.ticketing, schemas),
      openapiPaths: ticketingOpenapiPaths(proxied, schemas),
    },
    mcp: describeMcp(config, tools, prompts),
  });
  const [described, components] = [collectSchemas("#/schemas/"), collectSchemas("#/components/schemas/")];
  return {
    discovery: discoveryDocument(config, surface(described), described),
    openapi: openapiDocument(config, surface(components), components),
  };
}

export function serializedDocuments(config: Deployment): RouteContext["documents"] {
  let serialized: ReturnType<RouteContext["documents"]> | undefined;
  return () => {
    if (serialized === undefined) {
      const { discovery, openapi } = apiDocuments(config);
      serialized = { discovery: JSON.stringify(discovery), openapi: JSON.stringify(openapi) };
    }
    return serialized;
  };
}
