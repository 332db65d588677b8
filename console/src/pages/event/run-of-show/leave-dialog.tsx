import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/** Asks before moves are lost. */
export default function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Dialog
      isOpen
      role="alertdialog"
      size="small"
      title="Leave without saving?"
      description="Segments were moved and not saved. The moves are lost when you leave."
      onClose={onStay}
      footer={
        <>
          <Button onPress={onStay}>Cancel</Button>
          <Button kind="danger" onPress={onLeave}>
            Leave
          </Button>
        </>
      }
    />
  );
}
