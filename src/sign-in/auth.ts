import type { Database } from "../platform/database/db.js";
import { hashPassword, verifyPassword } from "./password-hashes.js";
import { maximumPasswordLength, minimumPasswordLength } from "./password-rules.js";
import { sessionDays } from "./session-store.js";

/** The header in which the caller's address is given to better-auth; it never comes from a request. */
const addressHeader = "x-svc-address";

export type Client = { ip: string; userAgent: string | undefined };

export type Auth = {
  /** The token of a new session, or undefined for a wrong e-mail or password, in the same time. */
  signIn(email: string, password: string, client: Client): Promise<string | undefined>;
  /** The token of a new session for somebody who proved otherwise who they are. */
  createSession(userId: string, client: Client): Promise<string>;
};

/** better-auth, core only: checks passwords and creates sessions. Its HTTP handler is not mounted. */
export async function createAuth(options: {
  db: Database;
  publicUrl: string;
  secret: string;
  hashToken: (token: string) => Promise<Buffer>;
}): Promise<Auth> {
  // Loaded on demand: half a second that a start without sign-in, and every command, does not need.
  const [{ betterAuth }, { isAPIError }, { authAdapter }] = await Promise.all([
    import("better-auth/minimal"),
    import("better-auth/api"),
    import("./auth-adapter.js"),
  ]);
  const auth = betterAuth({
    baseURL: options.publicUrl,
    secret: options.secret,
    database: authAdapter(options.db, options.hashToken),
    user: { modelName: "users", fields: { createdAt: "created_at" } },
    account: {
      modelName: "accounts",
      fields: {
        userId: "user_id",
        providerId: "provider_id",
        accountId: "account_id",
        password: "password_hash",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    session: {
      modelName: "sessions",
      fields: {
        userId: "user_id",
        token: "token_hash",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "last_used_at",
        expiresAt: "expires_at",
      },
      expiresIn: sessionDays * 86_400,
      cookieCache: { enabled: false },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minimumPasswordLength,
      maxPasswordLength: maximumPasswordLength,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    advanced: {
      database: { generateId: "uuid", joins: true },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
    },
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
  return {
    async signIn(email, password, client) {
      const headers = new Headers({ [addressHeader]: client.ip, "user-agent": client.userAgent ?? "" });
      try {
        return (await auth.api.signInEmail({ body: { email, password }, headers })).token;
      } catch (error) {
        if (isAPIError(error) && error.statusCode < 500) return undefined;
        throw error;
      }
    },
    async createSession(userId, { ip, userAgent = "" }) {
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.createSession(userId, false, { ipAddress: ip, userAgent })).token;
    },
  };
}
