import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Spinner } from "./button.tsx";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./icon-button.module.css";
import { Tooltip } from "./tooltip.tsx";
import { usePending } from "./use-pending.ts";

export type IconButtonProps = Omit<ButtonProps, "children" | "className" | "style" | "aria-label"> & {
  icon: IconName;
  /** What it does, for screen readers and as the tooltip. */
  label: string;
  size?: "medium" | "small";
  ref?: Ref<HTMLButtonElement>;
};

/** While the promise that `onPress` returns is pending, it does nothing. */
export function IconButton({ icon, label, size = "medium", onPress, ...rest }: IconButtonProps) {
  const press = usePending();
  return (
    <Tooltip text={label}>
      <AriaButton
        {...rest}
        {...(onPress === undefined ? {} : { onPress: (event) => press.run(() => onPress(event)) })}
        {...(press.isPending ? { "aria-disabled": true } : {})}
        aria-label={label}
        className={classes(styles.button, size === "small" && styles.small)}
      >
        {press.isPending ? <Spinner /> : <Icon name={icon} size={size === "small" ? 16 : 20} />}
      </AriaButton>
    </Tooltip>
  );
}
