import { invitationDays } from "../../../../contract/nouns.ts";
import { LinkDialog } from "./link-dialog.tsx";

export type Sent = { email: string; link: string | undefined; mailed: boolean };

/** Shows the link of an invitation once. */
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
      isSent={mailed}
      note={`It works once, for ${invitationDays} days. Whoever has it can join as ${email}.`}
      lost={{
        title: `${email} is invited, but the link did not arrive here`,
        text: `Create a new link for ${email} in the list: it replaces this one.`,
      }}
      onClose={onClose}
    />
  );
}
