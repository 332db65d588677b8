import { createHmac } from "node:crypto";
import { ServiceError } from "../../contract/errors.js";
import { maximumPasswordLength } from "../../contract/nouns.js";
import { accountHolder } from "../access/caller.js";
import type { Person } from "../access/session.js";
import type { Database } from "../infra/database/db.js";
import { randomToken } from "../infra/ids.js";
import type { Log } from "../infra/observability/log.js";
import type { RateLimits } from "../infra/rate-limit.js";
import { createGuessLimits, type guessLimits } from "./guess-limits.js";
import { verifyPassword } from "./password-hashes.js";
import { findPasswordAccount, findPasswordHash, setPassword } from "./passwords.js";
import { type DeriveKey, keyDeriver } from "./secret-key.js";
import {
  type Client,
  deleteSession,
  extendSession,
  insertSession,
  type ListedSession,
  listSessions,
  longestSessionDays,
  removeSurplusSessions,
  sessionFinder,
} from "./session-store.js";

export type { Client, ListedSession } from "./session-store.js";

export type NewSession = { setCookie: string; person: Person };

/** Who is signed in, and how people sign in and out. */
export type SignIn = {
  /** The valid session of a request's Cookie header. */
  findSession(cookieHeader: string | undefined): Promise<Person | undefined>;
  /** Undefined for a wrong e-mail or password. Throws rate_limited after too many failures. */
  signIn(email: string, password: string, client: Client): Promise<NewSession | undefined>;
  /** A session for somebody who proved otherwise who they are. */
  createSessionFor(userId: string, client: Client): Promise<NewSession>;
  /** Ends the session of a Cookie header, if there is one, and returns the Set-Cookie header that removes the cookie. */
  signOut(cookieHeader: string | undefined): Promise<{ setCookie: string }>;
  listSessions(userId: string): Promise<ListedSession[]>;
  /** Whether the person had this session. */
  revokeSession(userId: string, sessionId: string): Promise<boolean>;
  /** Changes the password of whoever is signed in, after checking the current one, and ends their other sessions. */
  changePassword(
    person: Person,
    passwords: { current: string; next: string },
    client: Client,
  ): Promise<{ sessions_ended: number }>;
  deriveKey: DeriveKey;
};

export type SignInOptions = {
  config: { publicUrl: string; secretKey: string | null };
  db: Database;
  log: Log;
  limits: RateLimits;
  /** What tests change. */
  guesses?: Partial<typeof guessLimits>;
};

export function createSignIn({ config, db, log, limits, guesses }: SignInOptions): SignIn {
  const deriveKey = keyDeriver(config.secretKey, db.changes);
  const isSecure = config.publicUrl.startsWith("https:");
  const guessing = createGuessLimits(limits, guesses);
  const find = sessionFinder(db.lookups);
  const hashToken = async (token: string) =>
    createHmac("sha256", await deriveKey("session tokens"))
      .update(token)
      .digest();

  async function findByToken(token: string): Promise<Person | undefined> {
    const found = await find(await hashToken(token));
    if (found === undefined) return undefined;
    const { isStale, ...person } = found;
    if (isStale) {
      // Not awaited: the session is valid, and a later request extends it if this one cannot.
      extendSession(db.changes, person.sessionId).catch((error: unknown) =>
        log.debug({ err: error }, "session not extended"),
      );
    }
    return person;
  }

  async function openSession(userId: string, client: Client): Promise<NewSession> {
    const token = newSessionToken();
    await insertSession(db.changes, userId, await hashToken(token), client);
    const person = await findByToken(token);
    if (person === undefined) throw new ServiceError("unauthorized", "This account no longer exists");
    await removeSurplusSessions(db.changes, userId);
    return { setCookie: sessionCookie(token, isSecure), person };
  }

  return {
    async findSession(cookieHeader) {
      const token = tokenIn(cookieHeader);
      return token === undefined ? undefined : findByToken(token);
    },
    async signIn(email, password, client) {
      const takeBack = await guessing.attempt(email, client.ip);
      if (password.length > maximumPasswordLength) return undefined;
      const account = await findPasswordAccount(db, email);
      const isRight = await verifyPassword(password, account?.password_hash);
      if (account === undefined || !isRight) return undefined;
      await takeBack();
      return openSession(account.user_id, client);
    },
    createSessionFor: openSession,
    async signOut(cookieHeader) {
      const token = tokenIn(cookieHeader);
      const found = token === undefined ? undefined : await find(await hashToken(token));
      if (found !== undefined) await deleteSession(db.changes, found.userId, found.sessionId);
      return { setCookie: clearedSessionCookie(isSecure) };
    },
    listSessions: (userId) => listSessions(db, userId),
    revokeSession: (userId, sessionId) => deleteSession(db.changes, userId, sessionId),
    async changePassword(person, passwords, client) {
      const takeBack = await guessing.attempt(person.email, client.ip);
      await requirePassword(db, person, passwords.current);
      await takeBack();
      return setPassword(db, accountHolder(person.userId), async () => ({ id: person.userId, email: person.email }), {
        password: passwords.next,
        field: "new_password",
        tool: "console:change_password",
        keepSession: person.sessionId,
      });
    },
    deriveKey,
  };
}

async function requirePassword(db: Database, person: Person, password: string): Promise<void> {
  const hash = await findPasswordHash(db, person.userId);
  if (hash === undefined) {
    throw new ServiceError("conflict", "This account has no password yet: use the link for a forgotten password");
  }
  if (await verifyPassword(password, hash)) return;
  const problem = "current_password: this is not the current password";
  throw new ServiceError("forbidden", problem, { field: "current_password" });
}

const sessionCookieName = "svc_session";

const tokenLength = 32;

const newSessionToken = (): string => randomToken().slice(-tokenLength);

/** The session token of a Cookie header. */
const tokenIn = cookieReader(sessionCookieName, `[0-9A-Za-z]{${tokenLength}}`);

/** The cookie outlives every session: the database decides when a session ends. */
function sessionCookie(token: string, isSecure: boolean): string {
  return cookieHeader(sessionCookieName, token, { path: "/", maxAgeSeconds: longestSessionDays * 86_400, isSecure });
}

function clearedSessionCookie(isSecure: boolean): string {
  return cookieHeader(sessionCookieName, "", { path: "/", maxAgeSeconds: 0, isSecure });
}

/** What takes the value of a cookie from a Cookie header, if it has this form. */
export function cookieReader(name: string, form: string): (cookieHeader: string | undefined) => string | undefined {
  const pattern = new RegExp(`(?:^|;) *${name}=(${form}) *(?:;|$)`);
  return (cookieHeader) => pattern.exec(cookieHeader ?? "")?.[1];
}

type CookieOptions = { path: string; maxAgeSeconds: number; isSecure: boolean; sameSite?: "Lax" | "Strict" };

/** A Set-Cookie header. */
export function cookieHeader(
  name: string,
  value: string,
  { path, maxAgeSeconds, isSecure, sameSite = "Lax" }: CookieOptions,
): string {
  const attributes = [`Max-Age=${maxAgeSeconds}`, `Path=${path}`, "HttpOnly", `SameSite=${sameSite}`];
  return [`${name}=${value}`, ...attributes, ...(isSecure ? ["Secure"] : [])].join("; ");
}
