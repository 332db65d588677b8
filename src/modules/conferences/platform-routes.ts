import { z } from "zod";
import { uuid } from "../../../contract/schema/fields.js";
import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { filterQuery } from "../../schema/filters.js";
import { conferenceFilters, getConferenceForAdmins, selectConferencesForAdmins } from "./platform-store.js";

export const conferencePlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/conferences",
    summary: "Conferences in any status",
    access: "platform_admin",
    query: pageQuery.extend(filterQuery(conferenceFilters)),
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin conferences", filters], { cursor, limit }, (after, rows) =>
        selectConferencesForAdmins(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/conferences/:id",
    summary: "A conference in any status",
    access: "platform_admin",
    params: z.object({ id: uuid }),
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getConferenceForAdmins(db, params.id, baseUrl)),
  }),
];
