import { type ConsoleRoute, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { searchOrganization } from "./search-store.js";

/** What the command menu finds besides pages and actions. */
export const searchRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("search", {
    access: "member",
    handle: async ({ db, caller }, { query }) => consoleJson(await searchOrganization(db, caller, query.query)),
  }),
];
