import type { FastifyInstance } from "fastify";
import { trackLastUsed } from "./access/last-used.js";
import type { Config } from "./config.js";
import { discoveryDocument } from "./http/discovery.js";
import { openapiDocument } from "./http/openapi.js";
import { addRestRoutes } from "./http/rest.js";
import { createServer } from "./http/server.js";
import type { Database } from "./platform/db.js";
import type { Log } from "./platform/log.js";
import { createRateLimits } from "./platform/rate-limit.js";
import { removedEndpoints, routes } from "./registry.js";

/** Builds the whole service once, from its configuration and an open database. It does not listen yet. */
export function buildApp(config: Config, db: Database, log: Log): FastifyInstance {
  const limits = createRateLimits(config.redisUrl, log);
  const lastUsed = trackLastUsed(db, log);
  const app = createServer({ log, baseUrl: config.publicUrl, corsOrigins: config.corsOrigins });
  addRestRoutes(app, {
    gate: { db, lastUsed },
    limiter: limits.limiter("rest", config.limits.rest),
    context: {
      db,
      baseUrl: config.publicUrl,
      documents: {
        discovery: JSON.stringify(discoveryDocument(config, routes, removedEndpoints)),
        openapi: JSON.stringify(openapiDocument(config, routes, removedEndpoints)),
      },
    },
    routes,
    removedEndpoints,
  });
  app.addHook("onClose", async () => {
    await lastUsed.close();
    await limits.close();
  });
  return app;
}
