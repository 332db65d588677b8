import type { MemberInvitation } from "../../../../contract/console/organization.ts";
import { useChange } from "../../change/use-change.tsx";
import { roleLabel } from "../../format/roles.ts";
import { localZone } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { NewLinkButton } from "./new-link-button.tsx";
import type { Sent } from "./sent-dialog.tsx";

type Props = { invitations: MemberInvitation[]; onSent: (sent: Sent) => void };

export function InvitationTable({ invitations, onSent }: Props) {
  const change = useChange();
  const withdraw = ({ id, email }: MemberInvitation) =>
    change.open({
      tool: "withdraw_invitation",
      args: { invitation_id: id },
      title: `Withdraw the invitation of ${email}`,
      reason: `Withdrew the invitation of ${email}`,
      confirmLabel: "Withdraw invitation",
      danger: true,
      describe: () => <p>The link that {email} got stops working.</p>,
      done: "The invitation is withdrawn",
    });
  const columns: Column<MemberInvitation>[] = [
    { title: "E-mail", cell: ({ email }) => email },
    { title: "Role", cell: ({ role }) => roleLabel(role) },
    { title: "Invited by", cell: ({ invited_by }) => <bdi>{invited_by}</bdi> },
    { title: "Expires", cell: ({ expires_at }) => <Time at={expires_at} zone={localZone()} show="day" /> },
    {
      title: "Actions",
      hideTitle: true,
      align: "end",
      cell: (invitation) => (
        <span className="flex wrap gap-2">
          <NewLinkButton
            email={invitation.email}
            tool="invite_member"
            args={{ email: invitation.email, role: invitation.role }}
            onSent={onSent}
          />
          <Button size="small" onPress={() => withdraw(invitation)}>
            Withdraw
          </Button>
        </span>
      ),
    },
  ];
  return <Table caption="Open invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} cards />;
}
