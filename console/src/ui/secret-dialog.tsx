import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Checkbox } from "./checkbox.tsx";
import { classes } from "./classes.ts";
import { Dialog, type DialogProps } from "./dialog.tsx";
import styles from "./secret-dialog.module.css";
import { SecretText } from "./secret-text.tsx";

type Props = Pick<DialogProps, "title" | "description" | "size" | "onClose"> & {
  secret: string;
  /** What it is: "key", "link". */
  what: string;
  /** It was sent as well, so that nothing is lost by closing this. */
  isSent?: boolean;
  children?: ReactNode;
};

/** Something that is shown once: it closes only when the person says that they have it. */
export function SecretDialog({ secret, what, isSent = false, children, onClose, ...dialog }: Props) {
  const [isStored, setStored] = useState(isSent);
  const isAsked = useEscapeAsked(!isStored);
  return (
    <Dialog
      {...dialog}
      isOpen
      locked={!isStored}
      onClose={onClose}
      footer={
        <div className={styles.footer}>
          <p role="alert" className={classes("small", styles.asked)}>
            {isAsked && !isStored && `Store the ${what} first: it is not shown again.`}
          </p>
          {!isSent && (
            <Checkbox isSelected={isStored} onChange={setStored}>
              I have stored it
            </Checkbox>
          )}
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

/** Whether Escape was pressed while it does not close the dialog. */
function useEscapeAsked(isLocked: boolean): boolean {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isLocked) return;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && setAsked(true);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isLocked]);
  return isAsked;
}
