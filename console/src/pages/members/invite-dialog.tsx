import { useState } from "react";
import type { Role } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { useTool } from "../../change/use-change.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { emailProblem } from "../../format/email-problem.ts";
import { roleLabel, roleOptions } from "../../format/roles.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type Sent, SentDialog } from "./sent-dialog.tsx";

const nobody: { email: string; role: Role } = { email: "", role: "member" };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization();
  const run = useTool();
  const draft = useDraft({ form: "invitation", source: nobody, read: (empty) => empty });
  const { email, role } = draft.values;
  const { submit, isPending, problem, setProblem } = useSubmit();
  const [sent, setSent] = useState<Sent>();

  const invite = () => {
    const address = email.trim();
    const wrong = emailProblem(address);
    if (wrong !== undefined) return setProblem({ text: wrong, field: "email" });
    void submit(async () => {
      const reason = `Invited ${address} as ${roleLabel(role).toLowerCase()}`;
      const result = await run({ tool: "invite_member", args: { email: address, role }, reason });
      draft.saved();
      setSent({ email: address, link: result.link as string | undefined, mailed: result.mailed === true });
    });
  };
  if (sent !== undefined) return <SentDialog {...sent} onClose={onClose} />;
  return (
    <FormDialog
      title={`Invite somebody to ${name}`}
      label="Invitation"
      submitLabel="Invite person"
      isPending={isPending}
      draft={draft}
      onClose={onClose}
      onSubmit={invite}
    >
      <TextField
        label="E-mail"
        type="email"
        {...draft.bind("email")}
        error={problem?.text}
        autoComplete="off"
        autoFocus
        isRequired
      />
      <RadioGroup label="Role" options={roleOptions} {...draft.bind("role")} />
    </FormDialog>
  );
}
