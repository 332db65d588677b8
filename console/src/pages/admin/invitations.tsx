import { useState } from "react";
import type { Invitation } from "../../../../contract/console/organization.ts";
import { useChange } from "../../change/use-change.tsx";
import { roleLabel } from "../../format/roles.ts";
import { Button } from "../../ui/button.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { NewLinkButton } from "../members/new-link-button.tsx";
import { type Sent, SentDialog } from "../members/sent-dialog.tsx";
import { useInvitations } from "./admin-api.ts";
import { CardTable } from "./card-table.tsx";

/** Invitations that nobody has accepted yet, with a way to withdraw each. */
export function Invitations({ organization }: { organization?: string }) {
  const { data, error } = useInvitations(organization);
  const change = useChange();
  const [sent, setSent] = useState<Sent>();
  if (error !== null && data === undefined) return <p>The invitations could not be read.</p>;
  const items = data?.items;
  if (items?.length === 0) return <p>No invitation is open.</p>;
  const withdraw = ({ id, email, organization_id }: Invitation) =>
    void change.open({
      tool: "withdraw_invitation",
      args: { invitation_id: id, organization_id },
      danger: true,
      title: `Withdraw the invitation of ${email}`,
      reason: `Withdrew the invitation of ${email}`,
      confirmLabel: "Withdraw",
      done: "The invitation was withdrawn",
    });
  return (
    <>
      <CardTable
        caption="Open invitations, newest first"
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          { title: "E-mail address", cell: ({ email }) => email },
          { title: "Role", cell: ({ role }) => (role === null ? "Platform administrator" : roleLabel(role)) },
          { title: "Invited by", cell: ({ invited_by }) => invited_by },
          { title: "Expires", cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
          {
            title: "Actions",
            isActions: true,
            cell: (invitation) => (
              <span className="flex wrap gap-2">
                <NewLinkButton
                  email={invitation.email}
                  tool="invite_person"
                  args={argsOf(invitation)}
                  onSent={setSent}
                />
                <Button size="small" onPress={() => withdraw(invitation)}>
                  Withdraw
                </Button>
              </span>
            ),
          },
        ]}
      />
      {sent !== undefined && <SentDialog {...sent} onClose={() => setSent(undefined)} />}
    </>
  );
}

const argsOf = ({ email, organization_id, role, platform_admin }: Invitation) => ({
  email,
  platform_admin,
  ...(organization_id === null ? {} : { organization_id, role }),
});
