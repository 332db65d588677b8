import { type ReactNode, useId } from "react";
import { DraftNotice } from "../drafts/draft-notice.tsx";
import type { Draft } from "../drafts/use-draft.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { usePending } from "./use-pending.ts";

export type FormDialogProps = Omit<DialogProps, "isOpen" | "footer" | "role" | "children"> & {
  submitLabel: string;
  /** Until the promise that it may return is settled, the dialog stays. */
  onSubmit: () => unknown;
  /** The name of the form for screen readers. */
  label?: string;
  /** For forms with fields beside each other. */
  wide?: boolean;
  danger?: boolean;
  isPending?: boolean;
  isDisabled?: boolean;
  /** Above the form, such as what went wrong. */
  notices?: ReactNode;
  /** What was entered: closing asks before it goes. */
  draft?: Draft;
  /** Beside the buttons of every form. */
  action?: ReactNode;
  children: ReactNode;
};

/** A form in a dialog. It stays open until what it sends is done, so that nothing typed is lost when that is refused. */
export function FormDialog({
  submitLabel,
  onSubmit,
  label,
  wide = false,
  notices,
  draft,
  ...options
}: FormDialogProps) {
  const { danger = false, isPending = false, isDisabled = false, action, children, ...dialog } = options;
  const id = useId();
  const sending = usePending();
  const isBusy = isPending || sending.isPending;
  const closeNow = draft?.closing(dialog.onClose) ?? dialog.onClose;
  const close = isBusy ? () => {} : closeNow;
  return (
    <Dialog
      {...dialog}
      isOpen
      onClose={close}
      footer={
        <>
          {action}
          <Button isDisabled={isBusy} onPress={close}>
            Cancel
          </Button>
          <Button
            kind={danger ? "danger" : "primary"}
            type="submit"
            form={id}
            isPending={isBusy}
            isDisabled={isDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {draft !== undefined && <DraftNotice draft={draft} />}
      {notices}
      <Form id={id} onSubmit={() => sending.run(onSubmit)} wide={wide} {...(label === undefined ? {} : { label })}>
        {children}
      </Form>
    </Dialog>
  );
}
