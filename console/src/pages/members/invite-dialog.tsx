import { useState } from "react";
import type { Role } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { useTool } from "../../change/use-change.tsx";
import { roleLabel, roleOptions } from "../../format/roles.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { LinkDialog } from "./link-dialog.tsx";

export type Sent = { email: string; link: string | undefined; mailed: boolean };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization();
  const run = useTool();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const { submit, isPending, problem, setProblem } = useSubmit();
  const [sent, setSent] = useState<Sent>();

  const invite = () => {
    const address = email.trim();
    if (!/^\S+@\S+\.\S+$/.test(address)) return setProblem({ text: "Enter an e-mail address.", field: "email" });
    void submit(async () => {
      const reason = `Invite ${address} as ${roleLabel(role).toLowerCase()}`;
      const result = await run({ tool: "invite_member", args: { email: address, role }, reason });
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
      onClose={onClose}
      onSubmit={invite}
    >
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={problem?.text}
        autoComplete="off"
        autoFocus
        isRequired
      />
      <RadioGroup label="Role" options={roleOptions} value={role} onChange={setRole} />
    </FormDialog>
  );
}

export function SentDialog({ email, link, mailed, onClose }: Sent & { onClose: () => void }) {
  return (
    <LinkDialog
      title={`${email} is invited`}
      description={
        mailed
          ? "We sent the link by e-mail. You can also pass it on yourself. It is shown only now."
          : "Send this link to the person: no e-mail was sent. It is shown only now."
      }
      link={link}
      note={`It works once, for 7 days. Whoever has it can join as ${email}.`}
      lost={{
        title: `${email} is invited, but the link did not arrive here`,
        text: `Create a new link for ${email} in the list: it replaces this one.`,
      }}
      onClose={onClose}
    />
  );
}
