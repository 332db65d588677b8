import type { ReactElement, ReactNode } from "react";
import { Popover as AriaPopover, Dialog, DialogTrigger, type PopoverProps } from "react-aria-components";
import styles from "./popover.module.css";

type Props = { trigger: ReactElement; label: string; children: ReactNode; placement?: PopoverProps["placement"] };

/** A few controls beside the button that opens it, such as filters. */
export function Popover({ trigger, label, children, placement = "bottom start" }: Props) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover className={styles.popover ?? ""} offset={6} placement={placement}>
        <Dialog aria-label={label} className={styles.dialog ?? ""}>
          {children}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
