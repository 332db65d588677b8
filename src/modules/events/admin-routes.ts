import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { getEventForAdmins, selectEventsForAdmins } from "./admin-store.js";

export const eventPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformEvents", {
    access: "platform_admin",
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin events", filters], { cursor, limit }, (after, rows) =>
        selectEventsForAdmins(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute("platformEvent", {
    access: "platform_admin",
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getEventForAdmins(db, params.id, baseUrl)),
  }),
];
