import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { getOrganizationForAdmins, selectOrganizations } from "./admin-store.js";

export const organizationPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformOrganizations", {
    access: "platform_admin",
    async handle({ db, baseUrl }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin organizations", filters], { cursor, limit }, (after, rows) =>
        selectOrganizations(filters, baseUrl, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute("platformOrganization", {
    access: "platform_admin",
    handle: async ({ db, baseUrl }, { params }) => consoleJson(await getOrganizationForAdmins(db, params.id, baseUrl)),
  }),
];
