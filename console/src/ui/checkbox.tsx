import type { ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  type CheckboxGroupProps,
  type CheckboxProps,
} from "react-aria-components";
import choice from "./choice.module.css";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Props = Omit<CheckboxProps, "className" | "style" | "children"> & { children?: ReactNode; hint?: ReactNode };

/** Without children it needs an aria-label, as in the rows of a table. */
export function Checkbox({ children, hint, ...rest }: Props) {
  return (
    <AriaCheckbox {...rest} className={choice.choice ?? ""}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={choice.box}>
            {isIndeterminate ? <Icon name="minus" size={14} /> : isSelected && <Icon name="check" size={14} />}
          </span>
          {children !== undefined && (
            <span className="column shrinks">
              {children}
              {hint !== undefined && <span className="muted small">{hint}</span>}
            </span>
          )}
        </>
      )}
    </AriaCheckbox>
  );
}

type GroupProps = Omit<CheckboxGroupProps, "className" | "style" | "children" | "isInvalid"> &
  FieldProps & { children: ReactNode };

export function CheckboxGroup({ label, description, error, optional, children, ...rest }: GroupProps) {
  return (
    <AriaCheckboxGroup {...rest} isInvalid={error !== undefined} className={classes(styles.field)}>
      <FieldLabel label={label} optional={optional ?? false} />
      <div className="column gap-2">{children}</div>
      <FieldHelp description={description} error={error} />
    </AriaCheckboxGroup>
  );
}
