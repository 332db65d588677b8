import type { GuestCounts } from "../../../../../contract/console/guests.ts";
import { maximumEmail, maximumLine } from "../../../../../contract/nouns.ts";
import { ChangeForm } from "../../../change/change-form.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { formatCount } from "../../../format/counts.ts";
import { emailProblem } from "../../../format/email-problem.ts";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { TextField } from "../../../ui/text-field.tsx";

type Values = { name: string; email: string; ticket: string; status: "approved" | "pending" };

const nobody: Values = { name: "", email: "", ticket: "", status: "approved" };

type Props = { event: string; counts: GuestCounts | undefined; onClose: () => void };

export function AddGuest({ event, counts, onClose }: Props) {
  const draft = useDraft({
    form: `new-guest ${event}`,
    source: nobody,
    read: (empty) => empty,
    check: ({ name, email }) => ({
      name: name.trim() === "" ? "Enter the guest's name." : undefined,
      email: emailProblem(email),
    }),
  });
  const { bind } = draft;
  const { name, email, ticket, status } = draft.values;
  const isFull =
    status === "approved" && counts !== undefined && counts.capacity !== null && counts.approved >= counts.capacity;
  const args = {
    event_id: event,
    name: name.trim(),
    email: email.trim(),
    status,
    ...(ticket.trim() === "" ? {} : { ticket_type: ticket.trim() }),
    ...(isFull ? { allow_over_capacity: true } : {}),
  };
  return (
    <ChangeForm
      title="Add guest"
      size="small"
      label="New guest"
      submitLabel="Add guest"
      draft={draft}
      onClose={onClose}
      change={() => ({
        tool: "add_event_guest",
        args,
        title: `Add ${args.name}`,
        reason: "Added from the guest list",
        confirmLabel: "Add guest",
        done: `${args.name} is on the list`,
        warnings: isFull
          ? [
              `The event is full: ${formatCount(counts.approved)} of ${formatCount(counts.capacity ?? 0)} places are taken.`,
            ]
          : [],
      })}
    >
      <TextField label="Name" maxLength={maximumLine} autoFocus {...bind("name")} />
      <TextField label="E-mail" type="email" maxLength={maximumEmail} {...bind("email")} />
      <TextField label="Ticket" optional maxLength={maximumLine} {...bind("ticket")} />
      <RadioGroup
        label="State"
        {...bind("status")}
        options={[
          { value: "approved", label: "Approved", hint: "Can come at once" },
          { value: "pending", label: "Pending", hint: "Somebody decides later" },
        ]}
      />
    </ChangeForm>
  );
}
