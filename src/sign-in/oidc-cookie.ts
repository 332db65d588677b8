import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { consolePaths } from "../../contract/console/paths.js";
import type { DeriveKey } from "./secret-key.js";

/** What a sign-in at the issuer must bring back. Kept by the browser, signed, for ten minutes. */
export type OidcState = z.infer<typeof oidcState>;

const oidcState = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
});

const name = "svc_oidc";
export const oidcPath = consolePaths.startOidc.replace("GET ", "");
const lifetimeSeconds = 600;
const pattern = new RegExp(`(?:^|;) *${name}=([\\w-]{1,4000})\\.([\\w-]{43}) *(?:;|$)`);

export async function oidcCookie(
  deriveKey: DeriveKey,
  state: Omit<OidcState, "expiresAt">,
  isSecure: boolean,
): Promise<string> {
  const expiresAt = Date.now() + lifetimeSeconds * 1000;
  const payload = Buffer.from(JSON.stringify({ ...state, expiresAt })).toString("base64url");
  const signature = (await sign(deriveKey, payload)).toString("base64url");
  return cookie(`${payload}.${signature}`, lifetimeSeconds, isSecure);
}

export function clearedOidcCookie(isSecure: boolean): string {
  return cookie("", 0, isSecure);
}

/** Undefined if there is none, it was changed, or it is too old. */
export async function readOidcCookie(
  deriveKey: DeriveKey,
  cookieHeader: string | undefined,
): Promise<OidcState | undefined> {
  const [, payload, signature] = pattern.exec(cookieHeader ?? "") ?? [];
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

function cookie(value: string, maxAge: number, isSecure: boolean): string {
  const attributes = [
    `Max-Age=${maxAge}`,
    `Path=${oidcPath}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure ? ["Secure"] : []),
  ];
  return [`${name}=${value}`, ...attributes].join("; ");
}
