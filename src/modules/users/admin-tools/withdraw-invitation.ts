import { z } from "zod";
import type { Invitation } from "../../../../contract/console/organization.js";
import { ServiceError } from "../../../../contract/errors.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { findOpenInvitation, withdrawInvitation as withdraw } from "../invitation-store.js";

export const withdrawInvitation = definePlatformMutation({
  name: "withdraw_invitation",
  title: "Withdraw an invitation",
  description: "End an open invitation: its link no longer works. Name the organization that it is to, or null.",
  destructive: true,
  input: z.object({ invitation_id: uuid, organization_id: uuid.nullable().default(null) }),
  async prepare({ db }, { invitation_id, organization_id }) {
    if ((await findOpenInvitation(db, organization_id, { id: invitation_id })) === undefined) throw notOpen();
  },
  read: async ({ tx }, { invitation_id, organization_id }): Promise<{ invitation: Invitation | null }> => ({
    invitation: (await findOpenInvitation(tx, organization_id, { id: invitation_id })) ?? null,
  }),
  propose: () => ({ invitation: null }),
  store: async ({ tx }, { input }) => {
    // It may have been accepted a moment ago: accepting does not wait for administrators.
    if ((await withdraw(tx, input.organization_id, input.invitation_id)) === undefined) throw notOpen();
  },
});

function notOpen(): ServiceError {
  return new ServiceError("not_found", "No such invitation is open: it was accepted or withdrawn, or it has expired");
}
