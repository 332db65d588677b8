import sql from "sql-template-tag";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { startMailServer } from "../../test/sign-in/mail-server.js";
import { makerOn } from "../../test/support/make.js";
import { type Service, startService } from "../../test/support/service.js";

export const password = "four unrelated words";

export type Account = { id: string; email: string };

/** The service with its own sign-in, for pages that are about sessions and passwords. */
export type SignInService = Service & {
  /** Somebody with the password above. */
  newAccount(name?: string): Promise<Account>;
  /** A cookie of somebody who has signed in as people do, or undefined where that is refused. */
  signIn(account: Account, given?: string): Promise<string | undefined>;
  /** Whether the session of a cookie is still there. */
  isSignedIn(cookie: string | undefined): Promise<boolean>;
  /** The messages to an e-mail address. */
  mailsTo(email: string): string[];
};

export async function startSignInService(): Promise<SignInService> {
  const { port, messages } = await startMailServer();
  const service = await startService({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: "events@example.com" },
    oidc: { issuer: "https://issuer.test", clientId: "console", clientSecret: "secret", label: "Harbour ID" },
  });
  const post = (path: string, body: unknown) =>
    service.call(`/api/console/${path}`, { method: "POST", body, headers: { origin: service.url } });
  return {
    ...service,
    async newAccount(name = "Test Person") {
      const id = await makerOn(service.db).user(name);
      await savePasswordHash(service.db, id, await hashPassword(password));
      const [user] = await service.db.query<{ email: string }>(sql`select email from users where id = ${id}`);
      return { id, email: user?.email ?? "" };
    },
    async signIn({ email }, given = password) {
      const reply = await post("sign-in", { email, password: given });
      return reply.status === 200 ? reply.headers.getSetCookie()[0]?.split(";")[0] : undefined;
    },
    async isSignedIn(cookie = "") {
      return (await service.call("/api/console/session", { headers: { cookie } })).json.person !== null;
    },
    mailsTo: (email) => messages.filter((message) => message.includes(`To: ${email}`)),
  };
}
