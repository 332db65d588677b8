import { pageQuery } from "../../../contract/schema/page.js";
import { type ConsoleRoute, consolePage, defineConsoleRoute } from "../../console-route.js";
import { readPage } from "../../platform/database/keyset-page.js";
import { selectPlatformKeys } from "./platform-store.js";

export const keyPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/keys",
    summary: "Super-admin and conference keys",
    access: "platform_admin",
    query: pageQuery,
    handle: async ({ db }, { query }) =>
      consolePage(await readPage(db, ["admin keys"], query, (after, limit) => selectPlatformKeys(after, limit))),
  }),
];
