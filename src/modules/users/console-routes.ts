import { defineConsoleRoute } from "../../console-route.js";
import { listOpenInvitations } from "./invitation-store.js";
import { membersJson } from "./member-store.js";

export const memberRoutes = [
  defineConsoleRoute("members", {
    access: "member",
    async handle({ db, caller }) {
      const { organizationId, role } = caller;
      const invitations = role === "owner" ? await listOpenInvitations(db, organizationId) : null;
      return { body: await membersJson(db, organizationId, invitations) };
    },
  }),
];
