import { useState } from "react";
import type { Role } from "../../../../contract/roles.ts";
import { useChange } from "../../change/use-change.tsx";
import { roleOptions } from "../../format/roles.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useDraft } from "./use-draft.ts";

/** Where a person is invited to: an organization, or the administration of the platform. */
type Props = { organization?: { id: string; name: string }; onClose: () => void };

/** Invites a person, then shows the link once. */
export function InviteDialog({ organization, onClose }: Props) {
  const change = useChange();
  const [invited, setInvited] = useState<{ link: string; mailed: boolean }>();
  const { draft, bind, submitted } = useDraft<{ email: string; role: Role }>(
    { email: "", role: "owner" },
    ({ email }) => ({
      email: /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : "Enter an e-mail address",
    }),
  );
  const place = organization?.name ?? "administer the platform";
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    const { email, role } = values;
    const access = organization === undefined ? { platform_admin: true } : { organization_id: organization.id, role };
    const done = await change.open({
      tool: "invite_person",
      args: { email, ...access },
      title: `Invite ${email}`,
      reason: `Invite ${email} to ${place}`,
      confirmLabel: "Invite",
      done: `${email} is invited`,
      ...(organization === undefined
        ? { warnings: ["Platform administrators can change everything on this platform."] }
        : {}),
    });
    if (done === undefined) return;
    if (typeof done.link === "string") setInvited({ link: done.link, mailed: done.mailed === true });
    else onClose();
  };
  if (invited !== undefined) {
    return (
      <SecretDialog
        title={invited.mailed ? "The invitation was mailed" : "Send this link"}
        description={`${draft.email} accepts the invitation with it. It works once, for 7 days, and is shown only now.`}
        secret={invited.link}
        what="link"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={organization === undefined ? "Invite a platform administrator" : `Invite to ${organization.name}`}
      submitLabel="Review"
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <div className="column gap-4">
        <TextField label="E-mail address" type="email" autoFocus {...bind("email")} />
        {organization !== undefined && <RadioGroup label="Role" options={roleOptions} {...bind("role")} />}
      </div>
    </FormDialog>
  );
}
