import { type ReactNode, useId } from "react";
import { DraftNotice } from "../drafts/draft-notice.tsx";
import type { Draft } from "../drafts/use-draft.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { Form } from "./form.tsx";

type Props = Omit<DialogProps, "isOpen" | "footer" | "role" | "children"> & {
  submitLabel: string;
  onSubmit: () => void;
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

/** A form in a dialog. It stays open behind the change dialog, so that nothing typed is lost when a change is refused. */
export function FormDialog({ submitLabel, onSubmit, label, wide = false, notices, draft, ...options }: Props) {
  const { danger = false, isPending = false, isDisabled = false, action, children, ...dialog } = options;
  const id = useId();
  const close = draft?.closing(dialog.onClose) ?? dialog.onClose;
  return (
    <Dialog
      {...dialog}
      isOpen
      onClose={close}
      footer={
        <>
          {action}
          <Button onPress={close}>Cancel</Button>
          <Button
            kind={danger ? "danger" : "primary"}
            type="submit"
            form={id}
            isPending={isPending}
            isDisabled={isDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {draft !== undefined && <DraftNotice draft={draft} />}
      {notices}
      <Form id={id} onSubmit={onSubmit} wide={wide} {...(label === undefined ? {} : { label })}>
        {children}
      </Form>
    </Dialog>
  );
}
