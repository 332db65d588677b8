import { organizationKeysJson } from "../../access/organization-keys.js";
import { defineConsoleRoute, organizationPath } from "../../console-route.js";

export const keyRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("keys"),
    summary: "API keys of an organization",
    access: "member",
    handle: async ({ db, caller }) => ({ body: await organizationKeysJson(db, caller.organizationId) }),
  }),
];
