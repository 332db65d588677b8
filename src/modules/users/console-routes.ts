import { defineConsoleRoute, organizationPath } from "../../console-route.js";
import { listOpenInvitations } from "./invitation-store.js";
import { membersJson } from "./member-store.js";

export const memberRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: organizationPath("members"),
    summary: "People of an organization, and for owners its open invitations",
    access: "member",
    async handle({ db, caller }) {
      const { organizationId, role } = caller;
      const invitations = role === "owner" ? await listOpenInvitations(db, organizationId) : null;
      return { body: await membersJson(db, organizationId, invitations) };
    },
  }),
];
