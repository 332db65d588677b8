import type { FastifyInstance } from "fastify";
import type { Database } from "../infra/database/db.js";
import { pruneRegularly } from "../infra/database/prune-regularly.js";
import type { Log } from "../infra/observability/log.js";
import type { PublicFetchOptions } from "../infra/public-fetch.js";
import type { RateLimits } from "../infra/rate-limit.js";
import { scopesForTools } from "../runner/availability.js";
import type { Tool } from "../runner/mutation.js";
import { createAuthorizationServer } from "./authorization-server.js";
import { type Consent, createConsent } from "./consent.js";
import { addOAuthEndpoint } from "./endpoint.js";
import { createDocumentFetcher } from "./fetch-document.js";
import { pruneObjects } from "./object-store.js";

export type OAuthOptions = {
  db: Database;
  publicUrl: string;
  /** The path of the MCP endpoint. */
  resourcePath: string;
  /** Those that apps can use. */
  tools: readonly Pick<Tool, "scope" | "role">[];
  limits: RateLimits;
  log: Log;
  documents?: Partial<PublicFetchOptions> | undefined;
};

/** Requests of one network in a minute. Apps in the cloud come from few networks. */
const requestLimit = 300;

/** Registrations of one network in an hour: a maker of apps in the cloud registers one for each of its users. */
export const registrationLimit = 200;

const pruneEveryMs = 10 * 60_000;

/** The authorization server with its endpoint: how people connect apps to the MCP endpoint. */
export function createOAuth(app: FastifyInstance, options: OAuthOptions): { consent: Consent } {
  const { db, publicUrl, resourcePath, tools, limits, log } = options;
  const documents = createDocumentFetcher(options.documents);
  const scopes = scopesForTools(tools);
  const resource = publicUrl + resourcePath;
  const provider = once(() => createAuthorizationServer({ db, publicUrl, resource, scopes, log, documents }));
  const handler = once(async () => (await provider()).callback());
  addOAuthEndpoint(app, {
    publicUrl,
    resourcePath,
    scopes,
    handler,
    limiter: limits.limiter("oauth", requestLimit),
    registrations: limits.limiter("oauth-registrations", registrationLimit, 3_600),
  });
  const pruning = pruneRegularly(() => pruneObjects(db.changes), {
    everyMs: pruneEveryMs,
    what: "expired requests and tokens of apps",
    log,
  });
  app.addHook("onClose", async () => {
    pruning.close();
    await documents.close();
  });
  return { consent: createConsent({ db, baseUrl: publicUrl, provider, tools }) };
}

/** Made when it is first needed. A failure is not remembered. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
