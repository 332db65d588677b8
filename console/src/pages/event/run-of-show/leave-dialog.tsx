import { AlertDialog } from "../../../ui/dialog.tsx";

/** Asks before moves are lost. */
export default function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <AlertDialog
      isOpen
      title="Leave without saving?"
      description="Segments were moved and not saved. The moves are lost when you leave."
      confirmLabel="Leave"
      danger
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
