import { ServiceError } from "../../contract/errors.js";
import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../console-route.js";
import { renameUser } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import { accountHolder } from "./account-holder.js";
import { clientOf } from "./console-routes.js";
import type { SignInServices } from "./sign-in-services.js";

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
