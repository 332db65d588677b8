import { type ReactNode, useId } from "react";
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
  children: ReactNode;
};

/** A form in a dialog. It stays open behind the change dialog, so that nothing typed is lost when a change is refused. */
export function FormDialog({ submitLabel, onSubmit, label, wide = false, notices, children, ...options }: Props) {
  const { danger = false, isPending = false, isDisabled = false, ...dialog } = options;
  const id = useId();
  return (
    <Dialog
      {...dialog}
      isOpen
      footer={
        <>
          <Button onPress={dialog.onClose}>Cancel</Button>
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
      {notices}
      <Form id={id} onSubmit={onSubmit} wide={wide} {...(label === undefined ? {} : { label })}>
        {children}
      </Form>
    </Dialog>
  );
}
