import { useState } from "react";
import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import { useChange } from "../../../change/use-change.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { TextField } from "../../../ui/text-field.tsx";

type Props = { event: string; counts: GuestCounts | undefined; onClose: () => void };

export function AddGuest({ event, counts, onClose }: Props) {
  const change = useChange();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [ticket, setTicket] = useState("");
  const [status, setStatus] = useState<"approved" | "pending">("approved");
  const [tried, setTried] = useState(false);
  const problems = {
    name: name.trim() === "" ? "Enter the guest's name." : undefined,
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : "Enter an e-mail address.",
  };
  const isFull =
    status === "approved" && counts !== undefined && counts.capacity !== null && counts.approved >= counts.capacity;
  const submit = () => {
    setTried(true);
    if (problems.name !== undefined || problems.email !== undefined) return;
    const args = {
      event_id: event,
      name: name.trim(),
      email: email.trim(),
      status,
      ...(ticket.trim() === "" ? {} : { ticket_type: ticket.trim() }),
      ...(isFull ? { allow_over_capacity: true } : {}),
    };
    onClose();
    void change.open({
      tool: "add_event_guest",
      args,
      title: `Add ${args.name}`,
      reason: "Added from the guest list",
      confirmLabel: "Add guest",
      done: `${args.name} is on the list`,
      warnings: isFull ? [`The event is full: ${counts?.approved} of ${counts?.capacity} places are taken.`] : [],
    });
  };
  return (
    <FormDialog
      title="Add guest"
      size="small"
      label="New guest"
      submitLabel="Continue"
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label="Name" value={name} onChange={setName} error={tried ? problems.name : undefined} autoFocus />
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={tried ? problems.email : undefined}
      />
      <TextField label="Ticket" optional value={ticket} onChange={setTicket} />
      <RadioGroup
        label="State"
        value={status}
        onChange={setStatus}
        options={[
          { value: "approved", label: "Approved", hint: "Can come at once" },
          { value: "pending", label: "Pending", hint: "Somebody decides later" },
        ]}
      />
    </FormDialog>
  );
}
