import { z } from "zod";
import { line } from "../../../contract/schema/fields.js";
import { type ConsoleRoute, consoleJson, defineConsoleRoute, organizationPath } from "../../console-route.js";
import { searchOrganization } from "./search-store.js";

/** What the command menu finds beside pages and actions. */
export const searchRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("search"),
    summary: "Events and guests by words of their names",
    access: "member",
    query: z.object({ query: line(100).min(2, { error: "expected at least 2 characters" }) }),
    handle: async ({ db, caller }, { query }) => consoleJson(await searchOrganization(db, caller, query.query)),
  }),
];
