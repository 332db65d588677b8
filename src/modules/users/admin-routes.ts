import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { selectPeople } from "./admin-store.js";
import { listOpenInvitations } from "./invitation-store.js";

export const peoplePlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformPeople", {
    access: "platform_admin",
    async handle({ db }, { query: { cursor, limit, ...filters } }) {
      const page = await readPage(db, ["admin people", filters], { cursor, limit }, (after, rows) =>
        selectPeople(filters, after, rows),
      );
      return consolePage(page);
    },
  }),
  defineConsoleRoute("platformInvitations", {
    access: "platform_admin",
    handle: async ({ db }, { query }) =>
      consoleJson({ items: await listOpenInvitations(db, query.organization ?? null) }),
  }),
];
