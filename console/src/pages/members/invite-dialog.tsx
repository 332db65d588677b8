import { useState } from "react";
import type { Role } from "../../../../contract/roles.ts";
import { problemOf } from "../../api/api-error.ts";
import { useOrganization } from "../../api/session.ts";
import { useTool } from "../../change/use-change.tsx";
import { roleLabel, roleOptions } from "../../format/roles.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./members.module.css";

type Sent = { email: string; link: string | undefined; mailed: boolean };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization();
  const run = useTool();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [sent, setSent] = useState<Sent>();

  const invite = async () => {
    const address = email.trim();
    if (isPending) return;
    if (!/^\S+@\S+\.\S+$/.test(address)) return setProblem("Enter an e-mail address.");
    setPending(true);
    setProblem(undefined);
    try {
      const reason = `Invite ${address} as ${roleLabel(role).toLowerCase()}`;
      const result = await run({ tool: "invite_member", args: { email: address, role }, reason });
      setSent({ email: address, link: result.link as string | undefined, mailed: result.mailed === true });
    } catch (error) {
      setProblem(problemOf(error).text);
    }
    setPending(false);
  };
  if (sent !== undefined) return <SentDialog {...sent} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Invite somebody to ${name}`}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isPending={isPending} onPress={() => void invite()}>
            Invite person
          </Button>
        </>
      }
    >
      <Form label="Invitation" onSubmit={() => void invite()}>
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={setEmail}
          error={problem}
          autoComplete="off"
          autoFocus
          isRequired
        />
        <RadioGroup label="Role" options={roleOptions} value={role} onChange={setRole} />
      </Form>
    </Dialog>
  );
}

function SentDialog({ email, link, mailed, onClose }: Sent & { onClose: () => void }) {
  const done = (
    <Button kind="primary" onPress={onClose}>
      Done
    </Button>
  );
  if (link === undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={`${email} is invited, but the link did not arrive here`} footer={done}>
        <InlineNotice tone="warning" live>
          The connection was interrupted, and the link cannot be shown again. Invite {email} once more: the new link
          replaces it.
        </InlineNotice>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${email} is invited`}
      description={
        mailed
          ? "We sent the link by e-mail. You can also pass it on yourself. It is shown only now."
          : "Send this link to the person: no e-mail was sent. It is shown only now."
      }
      footer={done}
    >
      <SecretText text={link} what="link" />
      <p className={styles.faint}>It works once, for 7 days. Whoever has it can join as {email}.</p>
    </Dialog>
  );
}
