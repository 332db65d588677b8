import { z } from "zod";
import { uuid } from "../../../contract/schema/fields.js";
import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { filterQuery } from "../../schema/filters.js";
import { listOpenInvitations } from "./invitation-store.js";
import { personFilters, selectPeople } from "./platform-store.js";

export const peoplePlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/people",
    summary: "Everyone",
    access: "platform_admin",
    query: pageQuery.extend(filterQuery(personFilters)),
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin people", filters], { cursor, limit }, (after, rows) =>
        selectPeople(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/invitations",
    summary: "Open invitations to an organization, or to the platform only",
    access: "platform_admin",
    query: z.object({ organization: uuid.optional() }),
    handle: async ({ db }, { query }) =>
      consoleJson({ items: await listOpenInvitations(db, query.organization ?? null) }),
  }),
];
