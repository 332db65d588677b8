import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { defineMutation } from "../../../runner/mutation.js";
import {
  findOpenInvitation,
  type OpenInvitation,
  shownInvitation,
  withdrawInvitation as withdraw,
} from "../invitation-store.js";

export const withdrawInvitation = defineMutation({
  name: "withdraw_invitation",
  title: "Withdraw an invitation",
  group: "organization",
  description: "Withdraw an open invitation to the organization: its link stops working.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ invitation_id: uuid }),
  async read({ tx, caller }, { invitation_id }): Promise<{ invitation: OpenInvitation | null }> {
    return { invitation: shownInvitation(await findOpenInvitation(tx, caller.organizationId, { id: invitation_id })) };
  },
  propose({ invitation }) {
    if (invitation === null) throw notOpen();
    return { invitation: null };
  },
  async store({ tx, caller }, { input }) {
    // It may have been accepted a moment ago: accepting does not lock the organization.
    if ((await withdraw(tx, caller.organizationId, input.invitation_id)) === undefined) throw notOpen();
  },
});

function notOpen(): ServiceError {
  return new ServiceError("not_found", "invitation_id: the organization has no such open invitation");
}
