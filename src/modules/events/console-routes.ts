import { z } from "zod";
import { line } from "../../../contract/schema/fields.js";
import { getHostedEvent } from "../../access/hosting.js";
import {
  type ConsoleRoute,
  defineConsoleRoute,
  eventParams,
  eventPath,
  organizationPath,
} from "../../console-route.js";
import { findHostCandidates, getEventPage } from "./console-store.js";

/** What the pages of an event read beside the tools: all of a text, where a tool's answer has to be short. */
export const eventConsoleRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: eventPath(),
    summary: "An event with its hosts and counts",
    access: "member",
    params: eventParams,
    async handle({ db, caller, baseUrl }, { params }) {
      const { id, role } = await getHostedEvent(db, caller, params.event);
      const reader = { organizationId: caller.organizationId, role };
      return { body: await getEventPage(db, id, reader, baseUrl) };
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("host-candidates"),
    summary: "Organizations that can become hosts of an event",
    access: "admin",
    query: z.object({ query: line(100).min(2, { error: "expected at least 2 characters" }) }),
    handle: async ({ db, caller, baseUrl }, { query }) => ({
      body: await findHostCandidates(db, caller, query.query, baseUrl),
    }),
  }),
];
