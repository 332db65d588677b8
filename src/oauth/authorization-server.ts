import { generateKeyPairSync } from "node:crypto";
import type {
  Configuration,
  interactionPolicy as InteractionPolicy,
  JWK,
  KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import sql from "sql-template-tag";
import type { ConnectProblem } from "../../contract/connect-problems.js";
import { consolePaths } from "../../contract/console/paths.js";
import type { Scope } from "../../contract/scopes.js";
import { parseUrl } from "../../contract/urls.js";
import { isObserved } from "../infra/database/database-errors.js";
import type { Database } from "../infra/database/db.js";
import { randomToken } from "../infra/ids.js";
import type { Log } from "../infra/observability/log.js";
import { refreshTokenPrefix, tokenPrefix } from "../infra/secrets.js";
import { endAppBecause } from "../modules/connected-apps/store.js";
import type { DocumentFetcher } from "./fetch-document.js";
import { objectStore } from "./object-store.js";

export type AuthorizationServerOptions = {
  db: Database;
  publicUrl: string;
  /** The URL of the MCP endpoint: the only thing that tokens are for. */
  resource: string;
  /** What apps can ask for. */
  scopes: readonly Scope[];
  log: Log;
  documents: DocumentFetcher;
};

const day = 86_400;

/** Tokens are looked up with each request, so a long life costs no safety; some clients never refresh. */
const lifetimes = {
  AccessToken: 30 * day,
  RefreshToken: 180 * day,
  AuthorizationCode: 60,
  Interaction: 3_600,
  // Nothing of a session is kept.
  Session: 1,
};

/** Where a person decides about a request; the browser is sent on to the page from there. */
const decisionPath = (uid: string) => consolePaths.openConnectRequest.replace("GET ", "").replace(":uid", uid);

/** The cookie by which the browser that began a request is known when the person decides. */
export const decisionCookie = "svc_connect";

const sessionCookie = "svc_connect_session";

/** Authorization code with PKCE for public clients and those with keys of their own. Loaded when it is first needed. */
export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<Provider> {
  const { errors, interactionPolicy, Provider } = await import("oidc-provider");
  const { db, publicUrl, resource, scopes, log } = options;
  const configuration: Configuration = {
    adapter: objectStore({
      db,
      resource,
      endApp: async (appId) => {
        await endAppBecause(db, appId, endReason(Provider.ctx));
      },
      connection: () => connectionOf(Provider.ctx),
      alreadyUsed: () => new errors.InvalidGrant("already used"),
    }),
    clientAuthMethods: ["none", "private_key_jwt"],
    clientDefaults: {
      application_type: "native",
      id_token_signed_response_alg: "ES256",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    cookies: {
      names: { interaction: decisionCookie, resume: "svc_connect_resume", session: sessionCookie },
      short: { httpOnly: true, sameSite: "lax", secure: publicUrl.startsWith("https:") },
      long: { httpOnly: true, sameSite: "lax", secure: publicUrl.startsWith("https:") },
    },
    // An app on a web page is registered with its address.
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => parseUrl(uri)?.origin === origin) ?? false,
    expiresWithSession: () => false,
    features: {
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, idFactory: () => `app_${randomToken()}`, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget(`resource: expected ${resource}`);
          return { scope: scopes.join(" "), audience: resource, accessTokenFormat: "opaque" };
        },
      },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    fetch: async (url) => withoutScope(await options.documents.fetch(String(url))),
    findAccount: async (_ctx, id) => {
      const [user] = await db.query(sql`select id from users where id = ${id}`);
      return user === undefined ? undefined : { accountId: id, claims: () => ({ sub: id }) };
    },
    interactions: { policy: decidedEachTime(interactionPolicy), url: (_ctx, { uid }) => decisionPath(uid) },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    // It issues no ID tokens, but does not start without a key for them.
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    renderError: (ctx, { error }, cause) => {
      // A person reads the problem on a page of the console; only its code is in the address.
      ctx.redirect(problemPage(cause instanceof errors.SessionNotFound ? "expired" : problemsOfErrors[error]));
    },
    responseTypes: ["code"],
    rotateRefreshToken: true,
    routes: {
      authorization: "/oauth/authorize",
      jwks: "/oauth/jwks",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      token: "/oauth/token",
    },
    scopes: [...scopes],
    ttl: lifetimes,
  };
  const provider = new Provider(publicUrl, configuration);
  provider.proxy = true;
  provider.use(amendResponse(scopes));
  usePrefix(provider.AccessToken, tokenPrefix);
  usePrefix(provider.RefreshToken, refreshTokenPrefix);
  provider.on("server_error", (ctx, error) => {
    // An outage is already logged, once.
    if (isObserved(error)) Object.assign(ctx.state, { isOutage: true });
    else log.error({ err: error }, "a request for authorization failed");
  });
  return provider;
}

/** What a person is told of an error. */
const problemsOfErrors: Record<string, ConnectProblem | undefined> = {
  invalid_client: "unknown_app",
  invalid_client_metadata: "unknown_app",
  invalid_redirect_uri: "wrong_address",
  server_error: "failed",
};

/** The page that explains a problem. */
export function problemPage(problem: ConnectProblem = "wrong_request"): string {
  return `/connect?problem=${problem}`;
}

/** What the library says differently from what is so here. */
function amendResponse(scopes: readonly Scope[]) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    // Its own session has nothing in it: who is signed in, the console knows.
    const cookies = [ctx.response.get("set-cookie") ?? []].flat().filter((cookie) => !cookie.startsWith(sessionCookie));
    if (cookies.length > 0) ctx.set("set-cookie", cookies);
    else ctx.remove("set-cookie");
    const location = ctx.response.get("location") || "";
    const route = ctx.oidc?.route;
    if (route === "discovery") {
      // It names a scope of OpenID Connect too.
      Object.assign(ctx.body as object, { scopes_supported: scopes });
    } else if (
      route === "authorization" &&
      !location.startsWith(decisionPath("")) &&
      !location.startsWith("/connect")
    ) {
      // Nothing is sent to an app before a person has decided: its address can be anybody's.
      ctx.redirect(problemPage());
    } else if (ctx.state.isOutage === true && location === "") {
      ctx.status = 503;
      ctx.set("retry-after", "5");
      ctx.body = {
        error: "temporarily_unavailable",
        error_description: "The service is not available. Try again soon",
      };
    }
  };
}

/** People decide each time: what they decided before does not answer for them. */
function decidedEachTime({ base, Check }: typeof InteractionPolicy) {
  const policy = base();
  const consent = policy.get("consent");
  if (consent === undefined) throw new Error("the interaction policy has no consent");
  consent.checks.clear();
  consent.checks.add(new Check("decision", "the person decides", ({ oidc }) => oidc.result?.consent === undefined));
  return policy;
}

/** An app asks for scopes with each request: those in its description, which may be unknown here, do not limit it. */
async function withoutScope(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(withoutMember(text, "scope"), response);
}

function withoutMember(text: string, name: string): string {
  try {
    const { [name]: _, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  } catch {
    // What is no JSON is refused where it is read.
    return text;
  }
}

/** Tokens that can be recognized where they do not belong. The original notes the token's format. */
function usePrefix(model: { prototype: object }, prefix: string): void {
  const prototype = model.prototype as { generateTokenId(): string };
  const { generateTokenId } = prototype;
  prototype.generateTokenId = function () {
    generateTokenId.call(this);
    return prefix + randomToken();
  };
}

function unusedKey(): JWK {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ format: "jwk" }) as JWK;
}

/** Which of the connections of an app a request is about: the same app can be on several machines. */
function connectionOf(ctx: KoaContextWithOIDC | undefined): string | undefined {
  const { AccessToken, RefreshToken, AuthorizationCode } = ctx?.oidc.entities ?? {};
  return (RefreshToken ?? AccessToken ?? AuthorizationCode)?.sessionUid;
}

/** Why a grant ends at an endpoint of the authorization server. */
function endReason(ctx: KoaContextWithOIDC | undefined): string {
  return ctx?.oidc.route === "revocation" ? "The app gave up its tokens" : "A code or token of the app was used twice";
}
