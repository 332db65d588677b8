import { getHostedEvent } from "../../access/hosting.js";
import { type ConsoleRoute, defineConsoleRoute } from "../../console-route.js";
import { findHostCandidates, getEventPage } from "./console-store.js";

/** What the pages of an event read in addition to the tools: whole texts, which a tool's result may shorten. */
export const eventConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("event", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id, role } = await getHostedEvent(db, caller, params.event);
      const reader = { organizationId: caller.organizationId, role };
      return { body: await getEventPage(db, id, reader, baseUrl) };
    },
  }),
  defineConsoleRoute("hostCandidates", {
    access: "admin",
    handle: async ({ db, caller, baseUrl }, { query }) => ({
      body: await findHostCandidates(db, caller, query.query, baseUrl),
    }),
  }),
];
