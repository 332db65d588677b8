import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./icon-button.module.css";
import { Tooltip } from "./tooltip.tsx";

export type IconButtonProps = Omit<ButtonProps, "children" | "className" | "style" | "aria-label"> & {
  icon: IconName;
  /** What it does, for screen readers and as the tooltip. */
  label: string;
  size?: "medium" | "small";
  ref?: Ref<HTMLButtonElement>;
};

export function IconButton({ icon, label, size = "medium", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <AriaButton {...rest} aria-label={label} className={classes(styles.button, size === "small" && styles.small)}>
        <Icon name={icon} size={size === "small" ? 16 : 20} />
      </AriaButton>
    </Tooltip>
  );
}
