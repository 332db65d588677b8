import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { classes } from "./classes.ts";
import styles from "./dialog.module.css";
import { IconButton } from "./icon-button.tsx";
import { isFocusBehind, returnLostFocus } from "./return-focus.ts";

export type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  size?: "small" | "medium" | "large" | "full";
  /** Escape and a press outside do not close it: something would be lost. */
  locked?: boolean;
  role?: "dialog" | "alertdialog";
  /** What is behind it cannot be read. */
  opaque?: boolean;
};

/** A modal dialog; on phones a sheet at the lower edge, in reach of a thumb. */
export function Dialog({ isOpen, onClose, title, description, children, footer, ...options }: DialogProps) {
  const { size = "medium", locked = false, role = "dialog", opaque = false } = options;
  const descriptionId = useId();
  return (
    <ModalOverlay
      data-overlay
      className={classes(styles.overlay, opaque && styles.opaque)}
      isOpen={isOpen}
      isDismissable={!locked}
      isKeyboardDismissDisabled={locked}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={classes(styles.modal, styles[size])}>
        <AriaDialog
          className={styles.dialog ?? ""}
          role={role}
          {...(description === undefined ? {} : { "aria-describedby": descriptionId })}
        >
          <KeyboardOfDialog onEscape={locked ? undefined : onClose} />
          <header className={styles.header}>
            <Heading slot="title" className={styles.title ?? ""}>
              {title}
            </Heading>
            {!locked && <IconButton icon="close" label="Close" size="small" onPress={onClose} />}
          </header>
          {(description !== undefined || children !== undefined) && (
            <div className={styles.body}>
              {description !== undefined && (
                <p id={descriptionId} className="breaks muted">
                  {description}
                </p>
              )}
              {children}
            </div>
          )}
          {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The open dialogs, the topmost last. */
const open: symbol[] = [];

/** Within the dialog, so that it goes when the dialog has gone, after its animation. */
function KeyboardOfDialog({ onEscape }: { onEscape: (() => void) | undefined }) {
  useEffect(() => returnLostFocus, []);
  const close = useEffectEvent(() => onEscape?.());
  // Before the dialog is painted: from then on people expect Escape to close it.
  useLayoutEffect(() => {
    const own = Symbol("dialog");
    open.push(own);
    // React Aria closes it while the focus is in it.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || open.at(-1) !== own || !isFocusBehind()) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => {
      open.splice(open.indexOf(own), 1);
      window.removeEventListener("keydown", onKey, { capture: true });
    };
  }, []);
  return null;
}
