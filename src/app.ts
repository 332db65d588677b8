import type { FastifyInstance } from "fastify";
import { callerFinder } from "./access/api-key.js";
import { trackLastUsed } from "./access/last-used.js";
import { apiDocuments } from "./api-documents.js";
import type { Config } from "./config.js";
import { addRestRoutes } from "./http/rest.js";
import { createServer } from "./http/server.js";
import { addMcpEndpoint } from "./mcp/endpoint.js";
import { prepareTools } from "./mcp/tool-list.js";
import { imageStore } from "./modules/images/store.js";
import { createPosterGenerator, type PosterGenerator } from "./modules/posters/poster-generator.js";
import type { Database } from "./platform/db.js";
import { createImageFetcher } from "./platform/fetch-image.js";
import type { Log } from "./platform/log.js";
import { createRateLimits } from "./platform/rate-limit.js";
import { createPosterRenderer } from "./poster-render/poster-renderer.js";
import { removedEndpoints, routes, tools } from "./registry.js";
import { addTicketingEndpoint } from "./ticketing/endpoint.js";
import { connectUpstream, upstreamDefaults } from "./ticketing/upstream.js";

/** What tests shorten or replace; the service runs with the defaults. */
export type Tuning = Partial<typeof upstreamDefaults> & { posterGenerator?: PosterGenerator };

/** Builds the whole service from its configuration and an open database. It does not listen yet. */
export function buildApp(config: Config, db: Database, log: Log, tuning: Tuning = {}): FastifyInstance {
  const posterGenerator = tuning.posterGenerator ?? defaultPosterGenerator(config, db, log);
  const documents = apiDocuments(config);
  const toolList = prepareTools(tools, config.mcpTools);
  const limits = createRateLimits(config.redisUrl, log);
  const lastUsed = trackLastUsed(db, log);
  const keyChecks = { findCaller: callerFinder(db.lookups), lastUsed };
  const app = createServer({ log, baseUrl: config.publicUrl, corsOrigins: config.corsOrigins });
  addRestRoutes(app, {
    keyChecks,
    limiter: limits.limiter("rest", config.limits.rest),
    context: {
      db,
      baseUrl: config.publicUrl,
      documents: { discovery: JSON.stringify(documents.discovery), openapi: JSON.stringify(documents.openapi) },
    },
    routes,
    removedEndpoints,
  });
  const upstreamOptions = { ...upstreamDefaults, ...tuning, log };
  const upstream = config.ticketing === null ? null : connectUpstream({ ...config.ticketing, ...upstreamOptions });
  addTicketingEndpoint(app, {
    db,
    keyChecks,
    limiter: limits.limiter("ticketing", config.limits.ticketing),
    upstream,
    maximumInFlight: upstreamOptions.connections,
    log,
  });
  addMcpEndpoint(app, {
    keyChecks,
    limiter: limits.limiter("mcp", config.limits.mcp),
    tools: { db, baseUrl: config.publicUrl, services: { drawPoster: posterGenerator.draw } },
    list: toolList,
    sources: { publicUrl: config.publicUrl, corsOrigins: config.corsOrigins },
    log,
  });
  app.addHook("onClose", async () => {
    await upstream?.close();
    await posterGenerator.close();
    await lastUsed.close();
    await limits.close();
  });
  return app;
}

function defaultPosterGenerator(config: Config, db: Database, log: Log): PosterGenerator {
  return createPosterGenerator({
    renderer: createPosterRenderer(),
    fetcher: createImageFetcher(),
    images: imageStore(db),
    baseUrl: config.publicUrl,
    log,
  });
}
