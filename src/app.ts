import type { FastifyInstance } from "fastify";
import { startPruning } from "./access/changes.js";
import { createKeyLookups } from "./access/check-request.js";
import { trackLastUsed } from "./access/last-used.js";
import type { Person } from "./access/session.js";
import { serializedDocuments } from "./api-documents.js";
import type { Config } from "./config.js";
import { createChangeStreams, type StreamLimits, streamLimits } from "./console/change-streams.js";
import { addConsoleEndpoint } from "./console/endpoint.js";
import { addPages, type BuiltPages, readPages, sendMissingPage } from "./console/pages.js";
import type { ConnectionLimits } from "./http/connections.js";
import { createResponseCache, type ResponseCache } from "./http/response-cache.js";
import { addRestRoutes } from "./http/rest.js";
import { createServer } from "./http/server.js";
import { type Compressor, createCompressor } from "./infra/compress.js";
import type { Database } from "./infra/database/db.js";
import { createImageFetcher } from "./infra/fetch-image.js";
import type { Log } from "./infra/observability/log.js";
import type { Metrics } from "./infra/observability/metrics.js";
import { createOperations, dependencyGauge, type Operations } from "./infra/observability/operations.js";
import type { PublicFetchOptions } from "./infra/public-fetch.js";
import { createRateLimits, type RateLimits } from "./infra/rate-limit.js";
import { addMcpEndpoint, mcpPath } from "./mcp/endpoint.js";
import { prepareResources } from "./mcp/preview-card.js";
import { preparePrompts } from "./mcp/prompt-list.js";
import { prompts } from "./mcp/prompts.js";
import { prepareTools } from "./mcp/tool-list.js";
import { observeApps } from "./modules/connected-apps/store.js";
import { createImageReader, type ImageReadLimits, imageReadLimits, imageStore } from "./modules/images/store.js";
import { startRemovingUploads } from "./modules/images/unused.js";
import { createUploads, type Uploads, uploadRefusals } from "./modules/images/uploads.js";
import { createPosterGenerator, type PosterGenerator } from "./modules/posters/poster-generator.js";
import { createPosterLoader, type PosterLoader } from "./modules/posters/poster-loader.js";
import { createPosterPreviews, type PosterPreviews } from "./modules/posters/poster-previews.js";
import type { Consent } from "./oauth/consent.js";
import { createOAuth } from "./oauth/oauth.js";
import { createPosterRenderer } from "./poster-render/poster-renderer.js";
import {
  consoleRoutes,
  promptCompleters,
  removedEndpoints,
  routes,
  type ToolServices,
  ticketingOperations,
  tools,
} from "./registry.js";
import { deployedTools } from "./runner/availability.js";
import { invitationMail, type Mailer } from "./sign-in/mail.js";
import { createSignInServices, type SignInServices } from "./sign-in/sign-in-services.js";
import { addTicketingEndpoint, type TicketingEndpoint } from "./ticketing/endpoint.js";
import { ticketingDefaults } from "./ticketing/limits.js";
import { connectUpstream, type Upstream, type UpstreamOptions } from "./ticketing/upstream.js";
import { observeBackups } from "./transfer/backup-state.js";

/** What tests shorten or replace; the service runs with the defaults. */
export type Tuning = Partial<typeof ticketingDefaults> & {
  posterGenerator?: PosterGenerator;
  posterLoader?: PosterLoader;
  uploads?: Uploads;
  images?: Partial<ImageReadLimits>;
  http?: Partial<ConnectionLimits>;
  streams?: Partial<StreamLimits>;
  /** How descriptions of apps are fetched. */
  documents?: Partial<PublicFetchOptions>;
  findSession?: (cookie: string | undefined) => Promise<Person | undefined>;
};

/** The door links of an organization that can take their whole share of the console's request limit at the same time. */
const busyDoorLinks = 5;

/** Builds the whole service from its configuration and an open database. It does not listen yet. */
export function buildApp(
  config: Config,
  db: Database,
  log: Log,
  tuning: Tuning = {},
  operations: Operations = createOperations(log, db),
): FastifyInstance {
  const { metrics } = operations;
  const { publicUrl, corsOrigins } = config;
  const { posterGenerator, posterLoader } = { ...defaultPosters(config, db, log), ...tuning };
  const toolList = prepareTools(tools, config.mcpTools);
  const limits = createRateLimits(config.redisUrl, log);
  const keyChecks = { lookups: createKeyLookups(db.lookups), lastUsed: trackLastUsed(db.changes, log) };
  const cache = config.cacheBytes === 0 ? null : createResponseCache(config.cacheBytes, keyChecks.lookups);
  const timers = [startPruning(db.changes, log), startRemovingUploads(db, log)];
  const compress = createCompressor();
  const pages = readPages();
  const app = createServer({
    operations,
    sendMissingPage: (request, reply) => sendMissingPage(pages, request, reply),
    misplacedPaths: new Map([["/mcp", `the MCP endpoint is POST ${publicUrl}${mcpPath}`]]),
    baseUrl: publicUrl,
    corsOrigins,
    trustedProxy: config.trustedProxy,
    connectionLimits: { connections: config.maxConnections, ...tuning.http },
  });
  const signInServices = createSignInServices(config, db, log, limits);
  const { deriveKey } = signInServices.signIn;
  const previews = createPosterPreviews({ db, baseUrl: publicUrl, deriveKey, drawPoster: posterGenerator.draw });
  addRestRoutes(app, {
    keyChecks,
    limiter: limits.limiter("rest", config.limits.rest),
    context: {
      db,
      findImage: imageFinder(createImageReader(imageStore(db), { ...imageReadLimits, ...tuning.images }), previews),
      baseUrl: publicUrl,
      documents: serializedDocuments(config),
    },
    routes,
    removedEndpoints,
    compress,
    cache,
  });
  const toolServices = toolServicesOf(config, { posterGenerator, posterLoader }, previews, signInServices.mailer);
  const { documents } = tuning;
  const usable = tools.filter(({ name }) => toolList.deployed.has(name));
  const { consent } = createOAuth(app, { db, publicUrl, resourcePath: mcpPath, tools: usable, limits, log, documents });
  const uploads = tuning.uploads ?? createUploads();
  addConsole(app, { config, db, tuning, limits, compress, toolServices, signInServices, uploads, pages, consent });
  const ticketingLimits = { ...ticketingDefaults, ...tuning };
  const upstream = connectPlatform(config, limits, ticketingLimits, { log, onCall: metrics.platformCall });
  const ticketing = addTicketingEndpoint(app, {
    db,
    keyChecks,
    upstream,
    limits: ticketingLimits,
    log,
    limiter: limits.limiter("ticketing", config.limits.ticketing),
    operations: ticketingOperations[config.ticketingPaths],
  });
  addMcpEndpoint(app, {
    keyChecks,
    limiter: limits.limiter("mcp", config.limits.mcp),
    tools: { db, baseUrl: publicUrl, services: toolServices },
    list: toolList,
    prompts: preparePrompts(prompts, promptCompleters(db)),
    resources: prepareResources(),
    compress,
    sources: { publicUrl, corsOrigins },
  });
  observeBackups(metrics, db.lookups);
  observeApps(metrics, db.lookups);
  const slots = upstream === null ? 0 : ticketingLimits.connections;
  addGauges(metrics, { limits, cache, upstream, ticketing, posterGenerator, uploads, slots });
  app.addHook("onReady", limits.opened);
  app.addHook("onClose", async () => {
    await upstream?.close();
    await Promise.all([posterGenerator, posterLoader].map((each) => each.close()));
    await keyChecks.lastUsed.close();
    for (const timer of timers) timer.close();
    await limits.close();
  });
  return app;
}

function connectPlatform(
  config: Config,
  rateLimits: RateLimits,
  limits: typeof ticketingDefaults,
  reports: Pick<UpstreamOptions, "log" | "onCall">,
): Upstream | null {
  if (config.ticketing === null) return null;
  const window = rateLimits.fairWindow("ticketing-platform", {
    limit: limits.platformRequests,
    reserved: limits.platformReserved,
    seconds: limits.platformWindowSeconds,
  });
  return connectUpstream({ ...config.ticketing, ...reports, window, limits });
}

/** Stored images, and with a token drawings that are not stored yet. */
function imageFinder(readStored: ReturnType<typeof createImageReader>, previews: PosterPreviews) {
  return async (path: string, preview?: string) =>
    (await readStored(path)) ?? (preview === undefined ? undefined : previews.find(path, preview));
}

function toolServicesOf(
  config: Config,
  { posterGenerator, posterLoader }: Posters,
  previews: PosterPreviews,
  mailer: Mailer,
): ToolServices {
  const deployed = deployedTools(tools, config.mcpTools);
  return {
    drawPoster: posterGenerator.draw,
    loadPoster: posterLoader.load,
    previewUrl: previews.urlOf,
    imageQuotaBytes: config.imageQuotaBytes,
    isDeployed: (tool) => deployed.has(tool),
    mailInvitation: (invitation, organizationName) => mailer.send(invitationMail(invitation, organizationName)),
  };
}

type ConsoleParts = {
  config: Config;
  db: Database;
  tuning: Tuning;
  limits: RateLimits;
  compress: Compressor;
  toolServices: ToolServices;
  signInServices: SignInServices;
  uploads: Uploads;
  consent: Consent;
  pages: BuiltPages;
};

function addConsole(
  app: FastifyInstance,
  { config, db, tuning, limits, compress, toolServices, signInServices, uploads, pages, consent }: ConsoleParts,
): void {
  const findSession = tuning.findSession ?? signInServices.signIn.findSession;
  const changeStreams = createChangeStreams(db, { ...streamLimits, ...tuning.streams });
  addConsoleEndpoint(app, {
    db,
    baseUrl: config.publicUrl,
    findSession,
    findDoor: signInServices.door.find,
    limiter: limits.limiter("console", config.consoleLimit),
    doorLimiter: limits.limiter("console-doors", busyDoorLinks * config.consoleLimit),
    routes: consoleRoutes,
    services: {
      tools: toolServices,
      uploads,
      changeStreams,
      findSession,
      consent,
      ...signInServices,
    },
    compress,
  });
  addPages(app, pages);
  // Before the server waits for its requests: a stream ends only when it is told to.
  app.addHook("preClose", () => changeStreams.close());
}

type Parts = {
  limits: RateLimits;
  cache: ResponseCache | null;
  upstream: Upstream | null;
  ticketing: TicketingEndpoint;
  posterGenerator: PosterGenerator;
  uploads: Uploads;
  slots: number;
};

/** What is read from the parts of the service when metrics are. */
function addGauges(
  metrics: Metrics,
  { limits, cache, upstream, ticketing, posterGenerator, uploads, slots }: Parts,
): void {
  metrics.gauge(...dependencyGauge, () => (limits.available() ? 1 : 0), { dependency: "redis" });
  metrics.gauge(...dependencyGauge, () => (upstream?.available() === false ? 0 : 1), { dependency: "ticketing" });
  metrics.counter("svc_cache_hits_total", "Responses sent from the cache", () => cache?.usage().hits ?? 0);
  metrics.counter("svc_cache_builds_total", "Responses read for the cache", () => cache?.usage().builds ?? 0);
  metrics.gauge("svc_cache_bytes", "Size of the cached responses", () => cache?.usage().bytes ?? 0);
  metrics.gauge("svc_ticketing_slots_used", "Calls that are being forwarded", ticketing.slotsInUse);
  metrics.gauge("svc_ticketing_slots_limit", "Calls that may be forwarded at once", () => slots);
  metrics.gauge("svc_posters_drawing", "Posters that are being drawn", () => posterGenerator.usage().active);
  metrics.gauge("svc_posters_queued", "Posters that wait to be drawn", () => posterGenerator.usage().queued);
  metrics.gauge("svc_uploads_running", "Uploads that are being read, decoded and stored", () => uploads.usage().active);
  metrics.gauge("svc_uploads_waiting", "Uploads that wait for their turn", () => uploads.usage().queued);
  for (const reason of uploadRefusals) {
    const refused = () => uploads.usage().refused[reason];
    metrics.counter("svc_uploads_refused_total", "Uploads that were refused", refused, { reason });
  }
}

type Posters = { posterGenerator: PosterGenerator; posterLoader: PosterLoader };

/** They open threads and connections when they are first needed. */
function defaultPosters(config: Config, db: Database, log: Log): Posters {
  const parts = { images: imageStore(db), baseUrl: config.publicUrl };
  const renderer = createPosterRenderer({ processes: config.workers });
  return {
    posterGenerator: createPosterGenerator({ ...parts, renderer, fetcher: createImageFetcher(), log }),
    posterLoader: createPosterLoader({ ...parts, fetcher: createImageFetcher() }),
  };
}
