import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Input,
  type TextFieldProps,
} from "react-aria-components";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";

type Common = Omit<TextFieldProps, "className" | "style" | "children" | "isInvalid"> & FieldProps;

export type TextInputProps = Common & { placeholder?: string; mono?: boolean };

export function TextField({ placeholder, mono = false, ...props }: TextInputProps) {
  const { label, description, error, optional, ...rest } = props;
  return (
    <AriaTextField {...rest} isInvalid={error !== undefined} className={styles.field ?? ""}>
      <FieldLabel label={label} optional={optional ?? false} />
      <Input className={classes(styles.input, mono && styles.mono)} placeholder={placeholder ?? ""} />
      <FieldHelp description={description} error={error} />
    </AriaTextField>
  );
}

export type TextAreaProps = Common & { placeholder?: string; rows?: number };

export function TextArea({ placeholder, rows = 3, ...props }: TextAreaProps) {
  const { label, description, error, optional, ...rest } = props;
  return (
    <AriaTextField {...rest} isInvalid={error !== undefined} className={styles.field ?? ""}>
      <FieldLabel label={label} optional={optional ?? false} />
      <AriaTextArea className={styles.input ?? ""} rows={rows} placeholder={placeholder ?? ""} />
      <FieldHelp description={description} error={error} />
    </AriaTextField>
  );
}
