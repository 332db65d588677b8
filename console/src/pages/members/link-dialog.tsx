import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

type Props = {
  title: string;
  description: string;
  /** Missing where the response was lost. */
  link: string | undefined;
  /** It was sent by e-mail too. */
  isSent?: boolean;
  /** What the link does, and for how long. */
  note: string;
  /** What to do without it. */
  lost: { title: string; text: string };
  onClose: () => void;
};

/** A link that works once and is shown once, to be passed on. */
export function LinkDialog({ title, description, link, isSent = false, note, lost, onClose }: Props) {
  if (link === undefined) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={lost.title}
        footer={
          <Button kind="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <InlineNotice tone="warning" live>
          The connection was interrupted, and the link cannot be shown again. {lost.text}
        </InlineNotice>
      </Dialog>
    );
  }
  return (
    <SecretDialog title={title} description={description} secret={link} what="link" isSent={isSent} onClose={onClose}>
      <p className="faint small regular">{note}</p>
    </SecretDialog>
  );
}
