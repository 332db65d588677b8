import { type ConsoleRoute, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { readOverview } from "./overview-store.js";

export const overviewPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("platformOverview", {
    access: "platform_admin",
    handle: async ({ db }) => consoleJson(await readOverview(db)),
  }),
];
