import { keptDraftDays } from "../../../contract/pictures.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { letGo, type Question } from "./unsaved.ts";

/** Says what becomes of what is unsaved, and asks. */
export function LeaveDialog({ question: { about, go }, onStay }: { question: Question; onStay: () => void }) {
  const lost = about.find(({ isKept }) => !isKept());
  const leave = () => {
    letGo(about);
    go();
  };
  const discard = () => {
    for (const item of about) item.discard?.();
    leave();
  };
  return (
    <Dialog
      isOpen
      role="alertdialog"
      size="small"
      title={lost?.loss.title ?? "Leave without saving?"}
      description={
        lost?.loss.text ??
        `What you entered is kept in this browser for ${keptDraftDays} days, and is there again when you come back to this form.`
      }
      onClose={onStay}
      footer={
        lost === undefined ? (
          <>
            <Button kind="quiet" onPress={discard}>
              Discard
            </Button>
            <Button onPress={onStay}>Stay</Button>
            <Button kind="primary" onPress={leave}>
              Leave
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onStay}>Stay</Button>
            <Button kind="danger" onPress={leave}>
              Leave anyway
            </Button>
          </>
        )
      }
    />
  );
}
