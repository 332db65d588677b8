import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { Person } from "../../src/access/session.js";
import type { Config } from "../../src/config.js";
import type { Connection, Queryable } from "../../src/infra/database/db.js";
import type { Log } from "../../src/infra/observability/log.js";
import type { CallOptions, Reply } from "../support/call.js";
import { makerOn } from "../support/make.js";
import { type Service, startService, type TestTuning } from "../support/service.js";

/** The service with sessions that a test opens by itself: the cookie names the session. */
export type ConsoleService = Service & {
  /** A cookie of a person, who is signed in from now on. */
  signIn(userId: string): Promise<string>;
  signOut(cookie: string): void;
  get(path: string, cookie?: string): Promise<Reply>;
  post(path: string, cookie: string | undefined, body?: unknown, options?: CallOptions): Promise<Reply>;
  /** An organization, and the cookie of its owner. */
  newOrganization(): Promise<{ organizationId: string; ownerId: string; owner: string }>;
  /** Previews and commits a change of an organization, as the pages do, or returns the refusal of the preview. */
  change(organizationId: string, cookie: string, tool: string, args?: object): Promise<Reply>;
  /** The same as an administrator of the platform. */
  administer(cookie: string, tool: string, args?: object): Promise<Reply>;
};

export async function startConsole(
  tuning: TestTuning = {},
  config: Partial<Config> = {},
  { log, connection }: { log?: Log; connection?: Connection } = {},
): Promise<ConsoleService> {
  const sessions = createSessions();
  const service = await startService(config, connection, log, {
    findSession: sessions.findSession,
    ...tuning,
  });
  const headersOf = (cookie: string | undefined) => ({
    origin: service.url,
    ...(cookie === undefined ? {} : { cookie }),
  });
  const make = makerOn(service.db);
  const signIn = (userId: string) => sessions.signIn(service.db, userId);
  const post: ConsoleService["post"] = (path, cookie, body = {}, options = {}) =>
    service.call(`/api/console/${path}`, {
      method: "POST",
      body,
      ...options,
      headers: { ...headersOf(cookie), ...options.headers },
    });
  const previewAndCommit = async (path: string, cookie: string, args: object) => {
    const preview = await post(path, cookie, args);
    if (preview.status !== 200) return preview;
    return post(path, cookie, { ...preview.json.commit_with, reason: "for the test" });
  };
  return {
    ...service,
    signIn,
    signOut: sessions.signOut,
    get: (path, cookie) => service.call(`/api/console/${path}`, { headers: headersOf(cookie) }),
    post,
    async newOrganization() {
      const organizationId = await make.organization();
      const ownerId = await make.member(organizationId, "owner");
      return { organizationId, ownerId, owner: await signIn(ownerId) };
    },
    change: (organizationId, cookie, tool, args = {}) =>
      previewAndCommit(`organizations/${organizationId}/tools/${tool}`, cookie, args),
    administer: (cookie, tool, args = {}) => previewAndCommit(`admin/tools/${tool}`, cookie, args),
  };
}

/** Sessions that a test opens by itself: the cookie names the session. `findSession` is for the tuning of a service. */
function createSessions() {
  const sessions = new Map<string, Person>();
  return {
    // A browser sends all its cookies; the session's is one of them.
    findSession: async (cookies: string | undefined) =>
      cookies
        ?.split("; ")
        .map((cookie) => sessions.get(cookie))
        .find((person) => person !== undefined),
    /** A cookie of a person, who is signed in from now on. */
    async signIn(db: Queryable, userId: string): Promise<string> {
      const [user] = await db.query<{ name: string; email: string; platform_admin: boolean }>(
        sql`select name, email, platform_admin from users where id = ${userId}`,
      );
      if (user === undefined) throw new Error("no such user");
      const cookie = `svc_session=${randomUUID()}`;
      const { name, email, platform_admin: platformAdmin } = user;
      sessions.set(cookie, { sessionId: randomUUID(), userId, name, email, platformAdmin });
      return cookie;
    },
    signOut: (cookie: string) => void sessions.delete(cookie),
  };
}
