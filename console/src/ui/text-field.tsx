import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Input,
  type TextFieldProps,
} from "react-aria-components";
import { countOf, formatCount } from "../format/counts.ts";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";

type Common = Omit<TextFieldProps, "className" | "style" | "children" | "isInvalid"> & FieldProps;

/** Near the limit, a field says how many characters are left: in its last tenth. */
const nearLimit = 0.1;

/** A browser would cut what is longer without a word: it stays, the field says so, and its form does not submit it. */
function limited({ value = "", maxLength = Number.MAX_SAFE_INTEGER, error, ...rest }: Common) {
  const left = maxLength - value.length;
  const isLong = left < 0;
  const isNear = !isLong && left <= maxLength * nearLimit && rest.isReadOnly !== true;
  const problem = isLong
    ? `At most ${formatCount(maxLength)} characters; these are ${formatCount(value.length)}.`
    : error;
  // Empty if there is none: React Aria looks once for what describes the field, and it may come later.
  const description = isNear ? (
    <>
      {rest.description} <span className="nowrap">{`${countOf(left, "character")} left`}</span>
    </>
  ) : (
    (rest.description ?? "")
  );
  const isInvalid = problem !== undefined;
  return { problem, field: { ...rest, description, value, isInvalid, ...(isLong ? tooLong : {}) } };
}

const tooLong = { "data-unfinished": true };

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
