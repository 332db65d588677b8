import { z } from "zod";
import { uuid } from "../../../contract/schema/fields.js";
import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { filterQuery } from "../../schema/filters.js";
import { eventAdminFilters, getEventForAdmins, selectEventsForAdmins } from "./platform-store.js";

export const eventPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/events",
    summary: "Events in any status",
    access: "platform_admin",
    query: pageQuery.extend(filterQuery(eventAdminFilters)),
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin events", filters], { cursor, limit }, (after, rows) =>
        selectEventsForAdmins(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/events/:id",
    summary: "An event in any status",
    access: "platform_admin",
    params: z.object({ id: uuid }),
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getEventForAdmins(db, params.id, baseUrl)),
  }),
];
