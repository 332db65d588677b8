import { defineConsoleRoute } from "../../console-route.js";
import { connectedAppsJson } from "./store.js";

export const connectedAppRoutes = [
  defineConsoleRoute("connectedApps", {
    access: "member",
    handle: async ({ db, caller }) => ({ body: await connectedAppsJson(db, caller.organizationId) }),
  }),
];
