import { randomToken } from "../infra/ids.js";
import { longestSessionDays } from "./session-store.js";

export const sessionCookieName = "svc_session";

const tokenLength = 32;

const pattern = new RegExp(`(?:^|;) *${sessionCookieName}=([0-9A-Za-z]{${tokenLength}}) *(?:;|$)`);

export const newSessionToken = (): string => randomToken().slice(-tokenLength);

/** The session token of a Cookie header. */
export function tokenIn(cookieHeader: string | undefined): string | undefined {
  return cookieHeader === undefined ? undefined : pattern.exec(cookieHeader)?.[1];
}

/** The cookie outlives every session: the database decides when a session ends. */
export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie(token, longestSessionDays * 86_400, isSecure);
}

export function clearedSessionCookie(isSecure: boolean): string {
  return cookie("", 0, isSecure);
}

function cookie(value: string, maxAge: number, isSecure: boolean): string {
  const attributes = [`Max-Age=${maxAge}`, "Path=/", "HttpOnly", "SameSite=Lax", ...(isSecure ? ["Secure"] : [])];
  return [`${sessionCookieName}=${value}`, ...attributes].join("; ");
}
