import { useId } from "react";
import { TextField as AriaTextField, Input } from "react-aria-components";
import { typedDate, typedTime } from "../format/typed-date.ts";
import dates from "./date-field.module.css";
import { DateInput } from "./date-field.tsx";
import styles from "./field.module.css";
import type { FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { useTyped } from "./use-typed.ts";

type Props = FieldProps & {
  /** A local time, "2026-12-08T14:30"; what is neither date nor time is as it was typed. */
  value: string;
  onChange: (value: string) => void;
};

/** A day and a time of day, each typed as people write it. */
export function DateTimeField({ label, description, error, optional = false, value, onChange }: Props) {
  const [date, time] = partsOf(value);
  const join = (day: string, clock: string) => onChange(day === "" && clock === "" ? "" : `${day}T${clock}`);
  const day = useTyped({ value: date, typed: typedDate, onChange: (next) => join(next, time) });
  const clock = useTyped({ value: time, typed: typedTime, onChange: (next) => join(date, next.replaceAll("T", "t")) });
  const problem = day.problem ?? clock.problem ?? error;
  const id = useId();
  const help = [description === undefined ? "" : `${id}-description`, problem === undefined ? "" : `${id}-problem`];
  const describedBy = help.filter((part) => part !== "").join(" ");
  const common = {
    isInvalid: problem !== undefined,
    ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the labels of other fields.
    <div role="group" aria-labelledby={`${id}-label`} className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {label}
        {optional && <span className="faint regular"> (optional)</span>}
      </span>
      <div className={dates.both}>
        <AriaTextField {...day.field} {...common} aria-label={`${label}: date`}>
          <DateInput label={label} value={date} onChoose={day.choose} />
        </AriaTextField>
        <AriaTextField {...clock.field} {...common} aria-label={`${label}: time`}>
          <Input className={styles.input ?? ""} autoComplete="off" placeholder="14:30" />
        </AriaTextField>
      </div>
      {description !== undefined && (
        <span id={`${id}-description`} className={styles.description}>
          {description}
        </span>
      )}
      {problem !== undefined && (
        <span id={`${id}-problem`} className={dates.problem}>
          <Icon name="alert" size={14} />
          <span>{problem}</span>
        </span>
      )}
    </div>
  );
}

/** Only the time has no T: a date as it was typed may have one. */
function partsOf(value: string): [date: string, time: string] {
  const at = value.lastIndexOf("T");
  return at === -1 ? [value, ""] : [value.slice(0, at), value.slice(at + 1)];
}
