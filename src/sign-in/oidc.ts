import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { consolePaths } from "../../contract/console/paths.js";
import { messageOf } from "../../contract/errors.js";
import type { OidcProblem } from "../../contract/oidc-problems.js";
import type { Database } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import { findLinkedUser } from "./linked-accounts.js";
import { createOidcIssuer, type OidcClient } from "./oidc-issuer.js";
import type { DeriveKey } from "./secret-key.js";
import { cookieHeader, cookieReader } from "./sign-in.js";

type Problem = { problem: OidcProblem };

/** Sign-in with OpenID Connect: authorization code with PKCE, state and nonce, for people who are known already. */
export type Oidc = {
  label: string;
  /** Where the browser goes, and the cookie that it brings back. */
  start(returnTo: string): Promise<{ redirectTo: string; setCookie: string } | Problem>;
  /** Who came back from the issuer. */
  finish(
    query: URLSearchParams,
    cookieHeader: string | undefined,
  ): Promise<{ clearCookie: string; returnTo: string } & ({ userId: string } | Problem)>;
};

type OidcOptions = {
  config: OidcClient & { label: string };
  publicUrl: string;
  db: Database;
  log: Log;
  deriveKey: DeriveKey;
};

export function createOidc({ config, publicUrl, db, log, deriveKey }: OidcOptions): Oidc {
  const isSecure = publicUrl.startsWith("https:");
  const issuer = createOidcIssuer(config, `${publicUrl}${oidcPath}/callback`, log);
  return {
    label: config.label,
    async start(returnTo) {
      const page = await issuer.authorizationPage();
      if (page === undefined) return { problem: "oidc_unavailable" };
      const kept = { ...page.secrets, returnTo: localPath(returnTo) };
      return { redirectTo: page.url, setCookie: await oidcCookie(deriveKey, kept, isSecure) };
    },
    async finish(query, cookieHeader) {
      const kept = await readOidcCookie(deriveKey, cookieHeader);
      const end = { clearCookie: clearedOidcCookie(isSecure), returnTo: kept?.returnTo ?? "/" };
      if (kept === undefined) return { ...end, problem: "oidc_expired" };
      const identity = await issuer.identify(query, kept).catch((error: unknown) => {
        log.warn({ reason: messageOf(error).slice(0, 300) }, "a sign-in with OpenID Connect failed");
        return undefined;
      });
      if (identity === undefined) return { ...end, problem: "oidc_failed" };
      return { ...end, ...(await findLinkedUser(db, config.issuer, identity)) };
    },
  };
}

const longestPath = 1000;

/** A path of this service, as a header holds it: anything else would let a link to the sign-in page lead elsewhere. */
export function localPath(given: string): string {
  const path = given.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given) && path.length <= longestPath ? path : "/";
}

/** What a sign-in at the issuer must bring back. Kept by the browser, signed, for ten minutes. */
type OidcState = z.infer<typeof oidcState>;

const oidcState = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
});

const name = "svc_oidc";
const oidcPath = consolePaths.startOidc.replace("GET ", "");
const lifetimeSeconds = 600;
const cookieIn = cookieReader(name, "[\\w-]{1,4000}\\.[\\w-]{43}");

export async function oidcCookie(
  deriveKey: DeriveKey,
  state: Omit<OidcState, "expiresAt">,
  isSecure: boolean,
): Promise<string> {
  const expiresAt = Date.now() + lifetimeSeconds * 1000;
  const payload = Buffer.from(JSON.stringify({ ...state, expiresAt })).toString("base64url");
  const signature = (await sign(deriveKey, payload)).toString("base64url");
  return cookieHeader(name, `${payload}.${signature}`, { path: oidcPath, maxAgeSeconds: lifetimeSeconds, isSecure });
}

function clearedOidcCookie(isSecure: boolean): string {
  return cookieHeader(name, "", { path: oidcPath, maxAgeSeconds: 0, isSecure });
}

/** Undefined if there is none, it was changed, or it is too old. */
export async function readOidcCookie(
  deriveKey: DeriveKey,
  cookieHeader: string | undefined,
): Promise<OidcState | undefined> {
  const [payload, signature] = cookieIn(cookieHeader)?.split(".") ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  const given = Buffer.from(signature, "base64url");
  const expected = await sign(deriveKey, payload);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const state = oidcState.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  return state.expiresAt > Date.now() ? state : undefined;
}

async function sign(deriveKey: DeriveKey, payload: string): Promise<Buffer> {
  return createHmac("sha256", await deriveKey("OpenID Connect state"))
    .update(payload)
    .digest();
}
