import { z } from "zod";
import { uuid } from "../../../contract/schema/fields.js";
import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { filterQuery } from "../../schema/filters.js";
import { getOrganizationForAdmins, organizationFilters, selectOrganizations } from "./platform-store.js";

export const organizationPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/organizations",
    summary: "All organizations",
    access: "platform_admin",
    query: pageQuery.extend(filterQuery(organizationFilters)),
    async handle({ db, baseUrl }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin organizations", filters], { cursor, limit }, (after, rows) =>
        selectOrganizations(filters, baseUrl, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/organizations/:id",
    summary: "An organization with its members",
    access: "platform_admin",
    params: z.object({ id: uuid }),
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getOrganizationForAdmins(db, params.id, baseUrl)),
  }),
];
