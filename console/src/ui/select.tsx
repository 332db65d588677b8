import {
  Select as AriaSelect,
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  type SelectProps,
  SelectValue,
} from "react-aria-components";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import list from "./listbox.module.css";

export type Option<Value extends string = string> = { value: Value; label: string; hint?: string };

type Props<Value extends string> = Omit<
  SelectProps<Option<Value>>,
  "className" | "style" | "children" | "isInvalid" | "selectedKey" | "onSelectionChange" | "value" | "onChange"
> &
  FieldProps & {
    options: Option<Value>[];
    value: Value | null;
    onChange: (value: Value) => void;
    /** Keeps the label for screen readers only, where the place says what it is. */
    hideLabel?: boolean;
  };

export function Select<Value extends string>({ options, value, onChange, hideLabel = false, ...props }: Props<Value>) {
  const { label, description, error, optional, ...rest } = props;
  return (
    <AriaSelect
      {...rest}
      {...(hideLabel ? { "aria-label": label } : {})}
      isInvalid={error !== undefined}
      value={value}
      onChange={(key) => onChange(key as Value)}
      className={styles.field ?? ""}
    >
      {!hideLabel && <FieldLabel label={label} optional={optional ?? false} />}
      <Button className={classes(styles.input, styles.trigger)}>
        <SelectValue>{({ selectedText, defaultChildren }) => selectedText || defaultChildren}</SelectValue>
        <Icon name="chevron-up-down" />
      </Button>
      <FieldHelp description={description} error={error} />
      <Popover className={list.popover ?? ""} offset={4}>
        <ListBox className={list.list ?? ""} items={options}>
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** The id is a property of its own because React Aria takes it as the key: options of a search replace each other. */
export function OptionItem({ id, option }: { id: string; option: Option }) {
  const { label, hint } = option;
  return (
    <ListBoxItem id={id} textValue={label} className={list.item ?? ""}>
      {({ isSelected }) => (
        <>
          {isSelected && <Icon name="check" size={14} className={list.check ?? ""} />}
          <span className="column shrinks">
            {label}
            {hint !== undefined && <span className="muted tiny">{hint}</span>}
          </span>
        </>
      )}
    </ListBoxItem>
  );
}
