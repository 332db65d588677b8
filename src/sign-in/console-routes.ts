import { ServiceError } from "../../contract/errors.js";
import type { OidcProblem } from "../../contract/oidc-problems.js";
import { accountHolder } from "../access/caller.js";
import type { Person } from "../access/session.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  defineConsoleRoute,
} from "../console-route.js";
import { serviceVersion } from "../infra/version.js";
import { listOrganizationsOf } from "../modules/organizations/store.js";
import { getReset } from "../modules/users/reset-links.js";
import { renameUser } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import { acceptInvitation, getInvitation } from "./accept-invitation.js";
import { resetPassword } from "./password-reset.js";
import type { Client } from "./session-store.js";
import type { NewSession } from "./sign-in.js";
import type { SignInServices } from "./sign-in-services.js";

type Public = ContextOf<"public", SignInServices>;

/** Sign-in, invitations and password resets: what visitors may do. */
export const signInRoutes: ConsoleRoute<SignInServices>[] = [
  defineConsoleRoute("session", {
    access: "public",
    handle: (context: Public) => sessionResponse(context, context.person),
  }),
  defineConsoleRoute("signIn", {
    access: "public",
    async handle(context: Public, { body }) {
      const session = await context.services.signIn.signIn(body.email, body.password, clientOf(context));
      if (session === undefined) throw new ServiceError("unauthorized", "Wrong e-mail or password");
      return begin(context, session);
    },
  }),
  defineConsoleRoute("signOut", {
    access: "public",
    async handle({ services, request }: Public) {
      const { setCookie } = await services.signIn.signOut(request.cookie);
      return { setCookie: [setCookie] };
    },
  }),
  defineConsoleRoute("requestReset", {
    access: "public",
    async handle({ services, request }: Public, { body }) {
      await services.resetRequests.request(body.email, request.ip);
      return {};
    },
  }),
  defineConsoleRoute("reset", {
    access: "public",
    async handle({ db }: Public, { params }) {
      const { email } = await getReset(db, params.token);
      return consoleJson({ email });
    },
  }),
  defineConsoleRoute("resetPassword", {
    access: "public",
    async handle({ db }: Public, { params, body }) {
      await resetPassword(db, params.token, body.password);
      return {};
    },
  }),
  defineConsoleRoute("invitation", {
    access: "public",
    async handle({ db, baseUrl }: Public, { params }) {
      return consoleJson(await getInvitation(db, params.token, baseUrl));
    },
  }),
  defineConsoleRoute("acceptInvitation", {
    access: "public",
    async handle(context: Public, { params, body }) {
      const { userId } = await acceptInvitation(context.db, params.token, body, context.person?.userId);
      if (userId === context.person?.userId) {
        const current = await context.services.signIn.findSession(context.request.cookie);
        return sessionResponse(context, current);
      }
      return begin(context, await context.services.signIn.createSessionFor(userId, clientOf(context)));
    },
  }),
];

/** Sign-in with OpenID Connect: pages that the browser is sent through. */
export const oidcRoutes: ConsoleRoute<SignInServices>[] = [
  defineConsoleRoute("startOidc", {
    access: "public",
    async handle({ services }: Public, { query }) {
      const started = await requireOidc(services).start(query.return_to);
      if ("problem" in started) return { redirectTo: problemPage(started.problem) };
      return { redirectTo: started.redirectTo, setCookie: [started.setCookie] };
    },
  }),
  defineConsoleRoute("finishOidc", {
    access: "public",
    async handle(context: Public, { query }) {
      const { services, request } = context;
      const outcome = await requireOidc(services).finish(new URLSearchParams(query), request.cookie);
      if ("problem" in outcome) return { redirectTo: problemPage(outcome.problem), setCookie: [outcome.clearCookie] };
      const { setCookie } = await services.signIn.createSessionFor(outcome.userId, clientOf(context));
      // Like every new session, it takes the place of the one that the browser had.
      await services.signIn.signOut(request.cookie);
      return { redirectTo: outcome.returnTo, setCookie: [setCookie, outcome.clearCookie] };
    },
  }),
];

function requireOidc({ oidc }: SignInServices) {
  if (oidc !== null) return oidc;
  throw new ServiceError("not_found", "Sign-in with OpenID Connect is not configured: set OIDC_ISSUER");
}

function problemPage(problem: OidcProblem): string {
  return `/sign-in?error=${problem}`;
}

function clientOf({ request }: { request: { ip: string; userAgent: string | undefined } }): Client {
  return { ip: request.ip, userAgent: request.userAgent };
}

/** A new session takes the place of the one that the browser had. */
async function begin(context: Public, { person, setCookie }: NewSession): Promise<ConsoleResponse> {
  await context.services.signIn.signOut(context.request.cookie);
  return { ...(await sessionResponse(context, person)), setCookie: [setCookie] };
}

/** What the pages need first: the person, their organizations, and how to sign in. */
async function sessionResponse(
  { db, baseUrl, services }: Public,
  person: Person | undefined,
): Promise<ConsoleResponse> {
  const { oidc, mailer } = services;
  return consoleJson({
    person:
      person === undefined
        ? null
        : { id: person.userId, name: person.name, email: person.email, platform_admin: person.platformAdmin },
    organizations: person === undefined ? [] : await listOrganizationsOf(db, person.userId, baseUrl),
    sign_in: { oidc: oidc === null ? null : { label: oidc.label }, mail: mailer.isConfigured },
    version: serviceVersion,
    public_url: baseUrl,
  });
}

type SignedIn = ContextOf<"signed_in", SignInServices>;

/** What people change about their own account. */
export const accountRoutes: ConsoleRoute<SignInServices>[] = [
  defineConsoleRoute("accountSessions", {
    access: "signed_in",
    async handle({ services, person }: SignedIn) {
      const sessions = await services.signIn.listSessions(person.userId);
      return consoleJson({ sessions: sessions.map((each) => ({ ...each, current: each.id === person.sessionId })) });
    },
  }),
  defineConsoleRoute("revokeSession", {
    access: "signed_in",
    async handle({ services, person }: SignedIn, { params }) {
      const existed = await services.signIn.revokeSession(person.userId, params.id);
      if (!existed) throw new ServiceError("not_found", "You have no such session: it may have ended already");
      return {};
    },
  }),
  defineConsoleRoute("changePassword", {
    access: "signed_in",
    async handle(context: SignedIn, { body }) {
      const passwords = { current: body.current_password, next: body.new_password };
      await context.services.signIn.changePassword(context.person, passwords, clientOf(context));
      return {};
    },
  }),
  defineConsoleRoute("changeProfile", {
    access: "signed_in",
    async handle({ db, person }: SignedIn, { body: { name } }) {
      await recordedChange(db, accountHolder(person.userId), async (tx) => {
        const before = await renameUser(tx, person.userId, name);
        const request = { user_id: person.userId };
        const record = { tool: "console:update_profile", request, before: { name: before }, after: { name } };
        return { result: undefined, record: before === name ? null : record };
      });
      return {};
    },
  }),
];
