import { useState } from "react";
import { resetLinkHours } from "../../../../contract/nouns.ts";
import { useTool } from "../../change/use-change.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { LinkDialog } from "./link-dialog.tsx";

type Props = {
  name: string;
  /** Names the person, as the tool of the page expects it. */
  args: { user_id: string } | { person_id: string };
  onClose: () => void;
};

/** A link for a new password, for somebody who asks for it: they get no mail. */
export function ResetLinkDialog({ name, args, onClose }: Props) {
  const run = useTool();
  const { submit, isPending, problem } = useSubmit();
  const [created, setCreated] = useState<{ link: string | undefined }>();
  const create = async () => {
    const result = await run({ tool: "create_reset_link", args, reason: `${name} forgot the password` });
    setCreated({ link: result.link as string | undefined });
  };
  if (created !== undefined) {
    return (
      <LinkDialog
        title={`A new password for ${name}`}
        description="Pass this link on to the person, and to nobody else. It is shown only now."
        link={created.link}
        note={`It works once, for ${resetLinkHours} hours. Whoever has it can sign in as ${name}.`}
        lost={{ title: "The link did not arrive here", text: "Create another one: it ends the one before." }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={`Create a password link for ${name}`}
      label="Password link"
      submitLabel="Create link"
      isPending={isPending}
      onClose={onClose}
      onSubmit={() => submit(create)}
      notices={<ProblemNotice text={problem?.text} />}
    >
      <p>
        With the link <bdi>{name}</bdi> chooses a new password; until then the old one works. Links from before stop
        working, and it is recorded that you made this one. Make sure that it is really {name} who asks.
      </p>
    </FormDialog>
  );
}
