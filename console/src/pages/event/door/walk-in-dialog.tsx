import { useState } from "react";
import { useDraft } from "../../../drafts/use-draft.ts";
import { emailProblem } from "../../../format/email-problem.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { InlineNotice, ProblemNotice, Warnings } from "../../../ui/inline-notice.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useSubmit } from "../../../ui/use-submit.ts";
import type { WalkIn, WalkInValues } from "./door-api.ts";
import type { DoorStore } from "./door-store.ts";

type Props = {
  store: DoorStore;
  event: string;
  /** Why the service cannot be asked now. */
  unreachable: string | undefined;
  searched: string;
  onClose: () => void;
};

/** What the service has warned of is confirmed with the same button, for the same guest. */
type Asked = { values: WalkInValues; walkIn: WalkIn };

/** Adds somebody who is not on the list. Only the service knows whether the address is on it, so this needs a connection. */
export function WalkInDialog({ store, event, unreachable, searched, onClose }: Props) {
  const [source] = useState(() => valuesOf(searched));
  const draft = useDraft({
    form: `walk-in ${event}`,
    source,
    read: (empty) => empty,
    check: ({ name, email }) => ({
      name: name.trim() === "" ? "Enter the guest's name." : undefined,
      email: emailProblem(email),
    }),
  });
  const sending = useSubmit();
  const [asked, setAsked] = useState<Asked>();
  const { name, email } = draft.values;
  const isAsked = asked?.values.name === name.trim() && asked.values.email === email.trim();
  const add = async () => {
    const values = { name: name.trim(), email: email.trim() };
    const walkIn = isAsked ? asked.walkIn : await store.previewWalkIn(values);
    if (!isAsked && walkIn.warnings.length > 0) return setAsked({ values, walkIn });
    // Whatever fails now, what was previewed may no longer be so.
    setAsked(undefined);
    await store.addWalkIn(values, walkIn);
    draft.saved();
    onClose();
  };
  return (
    <FormDialog
      title="Add a guest"
      description="For somebody who is not on the list. They are checked in at once."
      size="small"
      label="New guest"
      submitLabel={isAsked ? "Add anyway" : "Add and check in"}
      draft={draft}
      isPending={sending.isPending}
      isDisabled={unreachable !== undefined}
      onClose={onClose}
      onSubmit={() => {
        if (draft.submitted() !== undefined) void sending.submit(add);
      }}
      notices={
        <>
          {unreachable !== undefined && (
            <InlineNotice tone="warning" live>
              {unreachable}
            </InlineNotice>
          )}
          <ProblemNotice text={sending.errorAt(undefined)} />
          {isAsked && <Warnings texts={asked.walkIn.warnings} />}
        </>
      }
    >
      <TextField label="Name" autoFocus autoComplete="off" {...bound(draft.bind("name"), sending.errorAt("name"))} />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        {...bound(draft.bind("email"), sending.errorAt("email"))}
      />
    </FormDialog>
  );
}

/** Whoever was searched for and not found is probably who is added. */
function valuesOf(searched: string): WalkInValues {
  return searched.includes("@") ? { name: "", email: searched } : { name: searched, email: "" };
}

function bound<Field extends { error: string | undefined }>(field: Field, problem: string | undefined): Field {
  return { ...field, error: field.error ?? problem };
}
