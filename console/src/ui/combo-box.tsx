import {
  ComboBox as AriaComboBox,
  Button,
  type ComboBoxProps,
  Group,
  Input,
  ListBox,
  Popover,
} from "react-aria-components";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import list from "./listbox.module.css";
import { type Option, OptionItem } from "./select.tsx";

type Props = Omit<
  ComboBoxProps<Option>,
  | "className"
  | "style"
  | "children"
  | "isInvalid"
  | "selectedKey"
  | "onSelectionChange"
  | "value"
  | "onChange"
  | "items"
  | "defaultItems"
> &
  FieldProps & {
    options: Option[];
    value: string | null;
    onChange: (value: string | null) => void;
    placeholder?: string;
    /** Options come from a search of the service: they are shown as they are, whatever was typed. */
    remote?: boolean;
    /** Keeps the label for screen readers only, where the place says what it is. */
    hideLabel?: boolean;
  };

/** A choice among many, by typing. With `remote`, pass onInputChange and the options it found. */
export function ComboBox(given: Props) {
  const { options, value, onChange, placeholder = "", remote = false, hideLabel = false, ...props } = given;
  const { label, description, error, optional, ...rest } = props;
  return (
    <AriaComboBox
      {...rest}
      {...(hideLabel ? { "aria-label": label } : {})}
      {...(remote ? { items: options } : { defaultItems: options })}
      allowsEmptyCollection
      isInvalid={error !== undefined}
      value={value}
      onChange={(key) => onChange(key === null ? null : String(key))}
      className={styles.field ?? ""}
    >
      {!hideLabel && <FieldLabel label={label} optional={optional ?? false} />}
      <Group className={styles.group ?? ""}>
        <Input className={styles.input ?? ""} placeholder={placeholder} />
        <Button className={styles.inside ?? ""}>
          <Icon name="chevron-down" />
        </Button>
      </Group>
      <FieldHelp description={description} error={error} />
      <Popover className={list.popover ?? ""} offset={4}>
        <ListBox<Option>
          className={list.list ?? ""}
          renderEmptyState={() => <div className={list.empty}>Nothing matches. Try other words.</div>}
        >
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
