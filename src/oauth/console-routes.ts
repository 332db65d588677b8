import { type ConsoleRoute, type ContextOf, consoleJson, defineConsoleRoute } from "../console-route.js";
import type { Consent } from "./consent.js";

export type ConsentServices = { consent: Consent };

type Public = ContextOf<"public", ConsentServices>;
type SignedIn = ContextOf<"signed_in", ConsentServices>;

/** How people decide about the request of an app to be connected. */
export const consentRoutes: ConsoleRoute<ConsentServices>[] = [
  // The path of the cookie by which the browser is known again; the page is elsewhere, like all pages.
  defineConsoleRoute("openConnectRequest", {
    access: "public",
    handle: (_context: Public, { params }) => ({ redirectTo: `/connect/${params.uid}` }),
  }),
  defineConsoleRoute("connectRequest", {
    access: "signed_in",
    handle: async ({ services, request, person }: SignedIn, { params }) =>
      consoleJson(await services.consent.show(params.uid, request.cookie, person)),
  }),
  defineConsoleRoute("decideConnectRequest", {
    access: "signed_in",
    handle: async ({ services, request, person }: SignedIn, { params, body }) =>
      consoleJson({ redirect_to: await services.consent.decide(params.uid, request.cookie, person, body) }),
  }),
];
