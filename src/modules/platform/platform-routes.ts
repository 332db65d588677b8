import { type ConsoleRoute, consoleJson, defineConsoleRoute } from "../../console-route.js";
import { readOverview } from "./overview-store.js";

export const overviewPlatformRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute({
    method: "GET",
    path: "/api/console/admin/overview",
    summary: "What there is on the platform, and what needs attention",
    access: "platform_admin",
    handle: async ({ db }) => consoleJson(await readOverview(db)),
  }),
];
