import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Checkbox } from "./checkbox.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import styles from "./secret-dialog.module.css";
import { SecretText } from "./secret-text.tsx";

type Props = Pick<DialogProps, "title" | "description" | "size" | "onClose"> & {
  secret: string;
  /** What it is: "key", "link". */
  what: string;
  children?: ReactNode;
};

/** Something that is shown once: it closes only when the person says that they have it. */
export function SecretDialog({ secret, what, children, onClose, ...dialog }: Props) {
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      {...dialog}
      isOpen
      locked={!isStored}
      onClose={onClose}
      footer={
        <div className={styles.footer}>
          <Checkbox isSelected={isStored} onChange={setStored}>
            I have stored it
          </Checkbox>
          <Button kind="primary" isDisabled={!isStored} onPress={onClose}>
            Done
          </Button>
        </div>
      }
    >
      <SecretText text={secret} what={what} asks={!isStored} />
      {children}
    </Dialog>
  );
}
