import { type ConsoleRoute, consoleJson, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { listOpenInvitations } from "./invitation-store.js";
import { selectPeople } from "./platform-store.js";

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
