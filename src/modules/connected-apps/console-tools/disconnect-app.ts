import sql from "sql-template-tag";
import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { endApps } from "../../../access/connected-apps.js";
import { defineMutation } from "../../../runner/mutation.js";
import { type ConnectedApp, findApp } from "../store.js";

export const disconnectApp = defineMutation({
  name: "disconnect_app",
  title: "Disconnect an app",
  group: "organization",
  description:
    "Disconnect an app that somebody connected to the organization: its tokens are rejected from the next request on. People disconnect their own apps, owners any.",
  scope: "org:write",
  role: "member",
  destructive: true,
  input: z.object({ app_id: uuid }),
  async read({ tx, caller }, { app_id }): Promise<{ app: ConnectedApp | null }> {
    const app = (await findApp(tx, caller.organizationId, app_id)) ?? null;
    if (app !== null && app.connected_by !== caller.userId && caller.role !== "owner") {
      throw new ServiceError("forbidden", "Only owners disconnect apps that others have connected");
    }
    return { app };
  },
  propose({ app }, { app_id }) {
    if (app !== null) return { app: null };
    throw new ServiceError("not_found", `app_id: the organization has no connected app with the id ${app_id}`);
  },
  async store({ tx }, { input }) {
    await endApps(tx, sql`id = ${input.app_id}`);
  },
});
