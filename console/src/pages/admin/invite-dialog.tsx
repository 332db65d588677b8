import { useState } from "react";
import { invitationDays } from "../../../../contract/nouns.ts";
import type { Role } from "../../../../contract/roles.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { emailProblem } from "../../format/email-problem.ts";
import { roleOptions } from "../../format/roles.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** Where a person is invited to: an organization, or the administration of the platform. */
type Props = { organization?: { id: string; name: string }; onClose: () => void };

const nobody: { email: string; role: Role } = { email: "", role: "owner" };

/** Invites a person, then shows the link once. */
export function InviteDialog({ organization, onClose }: Props) {
  const [invited, setInvited] = useState<{ email: string; link: string; mailed: boolean }>();
  const draft = useDraft({
    form: `invitation ${organization?.id ?? "platform"}`,
    source: nobody,
    read: (empty) => empty,
    check: ({ email }) => ({ email: emailProblem(email) }),
  });
  const { bind } = draft;
  const place = organization?.name ?? "administer the platform";
  if (invited !== undefined) {
    return (
      <SecretDialog
        title={invited.mailed ? "The invitation was mailed" : "Send this link"}
        description={`${invited.email} accepts the invitation with it. It works once, for ${invitationDays} days, and is shown only now.`}
        secret={invited.link}
        what="link"
        onClose={onClose}
      />
    );
  }
  return (
    <ChangeForm
      title={organization === undefined ? "Invite a platform administrator" : `Invite to ${organization.name}`}
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      change={({ email, role }) => {
        const access =
          organization === undefined ? { platform_admin: true } : { organization_id: organization.id, role };
        return {
          tool: "invite_person",
          args: { email, ...access },
          title: `Invite ${email}`,
          reason: `Invited ${email} to ${place}`,
          confirmLabel: "Invite",
          done: `${email} is invited`,
          ...(organization === undefined
            ? { warnings: ["Platform administrators can change everything on this platform."] }
            : {}),
        };
      }}
      onDone={(done) => {
        if (typeof done.link === "string")
          setInvited({ email: draft.values.email, link: done.link, mailed: done.mailed === true });
        else onClose();
      }}
    >
      <div className="column gap-4">
        <TextField label="E-mail address" type="email" autoFocus {...bind("email")} />
        {organization !== undefined && <RadioGroup label="Role" options={roleOptions} {...bind("role")} />}
      </div>
    </ChangeForm>
  );
}
