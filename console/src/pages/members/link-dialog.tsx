import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SecretText } from "../../ui/secret-text.tsx";

type Props = {
  title: string;
  description: string;
  /** Missing where the response was lost. */
  link: string | undefined;
  /** What the link does, and for how long. */
  note: string;
  /** What to do without it. */
  lost: { title: string; text: string };
  onClose: () => void;
};

/** A link that works once and is shown once, to be passed on. */
export function LinkDialog({ title, description, link, note, lost, onClose }: Props) {
  const done = (
    <Button kind="primary" onPress={onClose}>
      Done
    </Button>
  );
  if (link === undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={lost.title} footer={done}>
        <InlineNotice tone="warning" live>
          The connection was interrupted, and the link cannot be shown again. {lost.text}
        </InlineNotice>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} footer={done}>
      <SecretText text={link} what="link" />
      <p className="faint small regular">{note}</p>
    </Dialog>
  );
}
