import { type ConsoleRoute, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../infra/database/keyset-page.js";
import { selectPlatformKeys } from "./admin-store.js";

export const keyPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformKeys", {
    access: "platform_admin",
    handle: async ({ db }, { query }) =>
      consolePage(await readPage(db, ["admin keys"], query, (after, limit) => selectPlatformKeys(after, limit))),
  }),
];
