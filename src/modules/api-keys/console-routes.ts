import { organizationKeysJson } from "../../access/organization-keys.js";
import { defineConsoleRoute } from "../../console-route.js";

export const keyRoutes = [
  defineConsoleRoute("keys", {
    access: "member",
    handle: async ({ db, caller }) => ({ body: await organizationKeysJson(db, caller.organizationId) }),
  }),
];
