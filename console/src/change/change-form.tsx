import type { Committed } from "../api/tools.ts";
import type { Draft } from "../drafts/use-draft.ts";
import { FormDialog, type FormDialogProps } from "../ui/form-dialog.tsx";
import type { ChangeRequest } from "./change-request.ts";
import { useSave } from "./use-save.ts";

type Props<Values> = Omit<FormDialogProps, "draft" | "onSubmit"> & {
  draft: Draft & { submitted: () => Values | undefined };
  /** What the values change; undefined if they change nothing. */
  change: (values: Values) => ChangeRequest | undefined;
  /** What follows; by default the dialog closes. */
  onDone?: (result: Committed) => void;
};

/** A form in a dialog whose values become one change. */
export function ChangeForm<Values>({ draft, change, onDone, ...dialog }: Props<Values>) {
  const save = useSave(draft, onDone ?? dialog.onClose);
  const submit = () => {
    const values = draft.submitted();
    if (values === undefined) return;
    const request = change(values);
    if (request !== undefined) return save(request);
    draft.saved();
    dialog.onClose();
  };
  return <FormDialog {...dialog} draft={draft} onSubmit={submit} />;
}
