import { RadioGroup as AriaRadioGroup, Radio, type RadioGroupProps } from "react-aria-components";
import choice from "./choice.module.css";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import type { Option } from "./select.tsx";

type Props<Value extends string> = Omit<
  RadioGroupProps,
  "className" | "style" | "children" | "isInvalid" | "value" | "onChange"
> &
  FieldProps & { options: Option<Value>[]; value: Value | null; onChange: (value: Value) => void };

export function RadioGroup<Value extends string>({ options, value, onChange, ...props }: Props<Value>) {
  const { label, description, error, optional, ...rest } = props;
  return (
    <AriaRadioGroup
      {...rest}
      value={value}
      onChange={(next) => onChange(next as Value)}
      isInvalid={error !== undefined}
      className={styles.field ?? ""}
    >
      <FieldLabel label={label} optional={optional ?? false} />
      <div className="column gap-2">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={choice.choice ?? ""}>
            <span className={classes(choice.box, choice.round)} />
            <span className="column shrinks">
              {option.label}
              {option.hint !== undefined && <span className="muted small">{option.hint}</span>}
            </span>
          </Radio>
        ))}
      </div>
      <FieldHelp description={description} error={error} />
    </AriaRadioGroup>
  );
}
