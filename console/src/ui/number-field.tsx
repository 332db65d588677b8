import { NumberField as AriaNumberField, Button, Group, Input, type NumberFieldProps } from "react-aria-components";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Props = Omit<NumberFieldProps, "className" | "style" | "children" | "isInvalid"> & FieldProps;

export function NumberField({ label, description, error, optional, ...rest }: Props) {
  return (
    <AriaNumberField {...rest} isInvalid={error !== undefined} className={styles.field ?? ""}>
      <FieldLabel label={label} optional={optional ?? false} />
      <Group className={styles.group ?? ""}>
        <Input className={styles.input ?? ""} />
        <Button slot="decrement" className={styles.inside ?? ""}>
          <Icon name="minus" />
        </Button>
        <Button slot="increment" className={styles.inside ?? ""}>
          <Icon name="plus" />
        </Button>
      </Group>
      <FieldHelp description={description} error={error} />
    </AriaNumberField>
  );
}
