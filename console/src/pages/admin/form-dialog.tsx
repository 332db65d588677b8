import { type ReactNode, useId } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";

type Props = {
  title: string;
  description?: string;
  submitLabel: string;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
};

/** A form in a dialog. It stays open behind the change dialog, so that nothing typed is lost when a change is refused. */
export function FormDialog({ title, description, submitLabel, onClose, onSubmit, children }: Props) {
  const id = useId();
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      size="medium"
      {...(description === undefined ? {} : { description })}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={id} onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  );
}
