import { useState } from "react";
import { useTool } from "../../../change/use-change.tsx";
import { required, useDraft } from "../../../drafts/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { InlineNotice, ProblemNotice } from "../../../ui/inline-notice.tsx";
import { SecretDialog } from "../../../ui/secret-dialog.tsx";
import { SecretText } from "../../../ui/secret-text.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useSubmit } from "../../../ui/use-submit.ts";
import { QrCode } from "../guests/qr-code.tsx";
import styles from "./door-links.module.css";

type Created = { name: string; link: string | undefined; pin: string | undefined };

export function CreateDoorLink({ event, onClose }: { event: string; onClose: () => void }) {
  const run = useTool();
  const { submit, isPending, errorAt } = useSubmit();
  const [created, setCreated] = useState<Created>();
  const draft = useDraft({
    form: `new-door-link ${event}`,
    source: { name: "" },
    read: (empty) => empty,
    check: ({ name }) => ({ name: required(name, "a name.") }),
  });
  const create = async () => {
    const name = draft.values.name.trim();
    const args = { event_id: event, name };
    const { link, pin } = await run({ tool: "create_door_link", args, reason: `Created the door link ${name}` });
    draft.saved();
    setCreated({ name, link: link as string | undefined, pin: pin as string | undefined });
  };
  if (created !== undefined) return <NewDoorLink created={created} onClose={onClose} />;
  const field = draft.bind("name");
  return (
    <FormDialog
      title="Create a door link"
      description="Whoever has the link and the PIN can check guests in until the event is over."
      size="small"
      label="New door link"
      submitLabel="Create door link"
      isPending={isPending}
      draft={draft}
      onClose={onClose}
      onSubmit={() => {
        if (draft.submitted() !== undefined) void submit(create);
      }}
      notices={<ProblemNotice text={errorAt(undefined)} />}
    >
      <TextField
        label="Name"
        description="Where or by whom it is used. The activity shows it with each check-in."
        placeholder="Main entrance"
        maxLength={100}
        autoFocus
        {...field}
        error={field.error ?? errorAt("name")}
      />
    </FormDialog>
  );
}

function NewDoorLink({ created: { name, link, pin }, onClose }: { created: Created; onClose: () => void }) {
  if (link === undefined || pin === undefined) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="The link did not arrive here"
        footer={
          <Button kind="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <InlineNotice tone="warning" live>
          The connection was interrupted, and the link cannot be shown again. Revoke it in the list and create another
          one.
        </InlineNotice>
      </Dialog>
    );
  }
  return (
    <SecretDialog
      title={`Door link ${name}`}
      description="Send the link and the PIN to your volunteers, best in two messages. Both are shown only now."
      secret={link}
      what="link"
      onClose={onClose}
    >
      <div>
        <p className="small semibold">PIN</p>
        <SecretText text={pin} what="PIN" />
      </div>
      <div>
        <p className="small semibold">The link, to be scanned by the phones of volunteers</p>
        <div className={styles.code}>
          <QrCode text={link} label="QR code of the link" />
        </div>
      </div>
    </SecretDialog>
  );
}
