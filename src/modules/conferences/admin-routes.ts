import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { getConferenceForAdmins, selectConferencesForAdmins } from "./admin-store.js";

export const conferencePlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformConferences", {
    access: "platform_admin",
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin conferences", filters], { cursor, limit }, (after, rows) =>
        selectConferencesForAdmins(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute("platformConference", {
    access: "platform_admin",
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getConferenceForAdmins(db, params.id, baseUrl)),
  }),
];
