import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Input,
  type TextFieldProps,
} from "react-aria-components";
import { formatCount } from "../format/counts.ts";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";

type Common = Omit<TextFieldProps, "className" | "style" | "children" | "isInvalid"> & FieldProps;

/** A browser would cut what is longer without a word: it stays, the field says so, and its form does not submit it. */
function limited({ value = "", maxLength = Number.POSITIVE_INFINITY, error, ...rest }: Common) {
  const isLong = value.length > maxLength;
  const problem = isLong
    ? `At most ${formatCount(maxLength)} characters; these are ${formatCount(value.length)}.`
    : error;
  return { problem, field: { ...rest, value, isInvalid: problem !== undefined, ...(isLong ? tooLong : {}) } };
}

const tooLong = { "data-too-long": true };

export type TextInputProps = Common & { placeholder?: string; mono?: boolean };

export function TextField({ placeholder, mono = false, ...props }: TextInputProps) {
  const { problem, field } = limited(props);
  const { label, description, optional, ...rest } = field;
  return (
    <AriaTextField {...rest} className={styles.field ?? ""}>
      <FieldLabel label={label} optional={optional ?? false} />
      <Input className={classes(styles.input, mono && styles.mono)} placeholder={placeholder ?? ""} />
      <FieldHelp description={description} error={problem} />
    </AriaTextField>
  );
}

export type TextAreaProps = Common & { placeholder?: string; rows?: number };

export function TextArea({ placeholder, rows = 3, ...props }: TextAreaProps) {
  const { problem, field } = limited(props);
  const { label, description, optional, ...rest } = field;
  return (
    <AriaTextField {...rest} className={styles.field ?? ""}>
      <FieldLabel label={label} optional={optional ?? false} />
      <AriaTextArea className={styles.input ?? ""} rows={rows} placeholder={placeholder ?? ""} />
      <FieldHelp description={description} error={problem} />
    </AriaTextField>
  );
}
