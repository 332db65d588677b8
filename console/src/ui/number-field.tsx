import { useState } from "react";
import { NumberField as AriaNumberField, Button, Group, Input, type NumberFieldProps } from "react-aria-components";
import { formatCount } from "../format/counts.ts";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Props = Omit<NumberFieldProps, "className" | "style" | "children" | "isInvalid" | "value" | "onChange"> &
  FieldProps & {
    /** NaN while the field is empty. */
    value: number;
    onChange: (value: number) => void;
  };

/** What is written in the field, with the separators of the console's locale. */
const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text.replaceAll(",", "")));

const unfinished = { "data-unfinished": true };

function boundsProblem(
  value: number,
  { minValue, maxValue }: Pick<Props, "minValue" | "maxValue">,
): string | undefined {
  if (minValue !== undefined && value < minValue) return `At least ${formatCount(minValue)}.`;
  if (maxValue !== undefined && value > maxValue) return `At most ${formatCount(maxValue)}.`;
  return undefined;
}

/**
 * Reports what is typed at once. React Aria reports and formats a number only when the field is left. One out of bounds stays,
 * the field says so, and its form does not submit it.
 */
export function NumberField({ label, description, error, optional, value, onChange, ...rest }: Props) {
  const outOfBounds = boundsProblem(value, rest);
  const problem = outOfBounds ?? error;
  const [{ shown, reported }, setState] = useState({ shown: value, reported: value });
  if (!Object.is(value, reported)) setState({ shown: value, reported: value });
  const type = (text: string) => {
    const typed = numberIn(text);
    if (Object.is(typed, reported)) return;
    setState({ shown, reported: typed });
    onChange(typed);
  };
  const leave = (left: number) => {
    setState({ shown: left, reported: left });
    onChange(left);
  };
  return (
    <AriaNumberField
      {...rest}
      value={Object.is(value, reported) ? shown : value}
      onChange={leave}
      commitBehavior="validate"
      isInvalid={problem !== undefined}
      {...(outOfBounds === undefined ? {} : unfinished)}
      className={styles.field ?? ""}
    >
      <FieldLabel label={label} optional={optional ?? false} />
      <Group className={styles.group ?? ""}>
        <Input className={styles.input ?? ""} onInput={(event) => type(event.currentTarget.value)} />
        <Button slot="decrement" className={styles.inside ?? ""}>
          <Icon name="minus" />
        </Button>
        <Button slot="increment" className={styles.inside ?? ""}>
          <Icon name="plus" />
        </Button>
      </Group>
      <FieldHelp description={description} error={problem} />
    </AriaNumberField>
  );
}
