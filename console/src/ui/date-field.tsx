import { Suspense, useState } from "react";
import {
  TextField as AriaTextField,
  Button,
  Dialog,
  DialogTrigger,
  Group,
  Input,
  Popover,
} from "react-aria-components";
import { typedDate } from "../format/typed-date.ts";
import { classes } from "./classes.ts";
import dates from "./date-field.module.css";
import styles from "./field.module.css";
import { FieldHelp, FieldLabel, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { lazyPart } from "./lazy-part.ts";
import { Skeleton } from "./skeleton.tsx";
import { useTyped } from "./use-typed.ts";

/** Loaded when a calendar is first opened. */
const MonthGrid = lazyPart(() => import("./month-grid.tsx"), "MonthGrid");

type Props = FieldProps & {
  /** "2026-12-08"; a text that is no date is what was typed. */
  value: string;
  onChange: (value: string) => void;
  /** Keeps the label for screen readers only, where the place says what it is. */
  hideLabel?: boolean;
  placeholder?: string;
};

/** A day, typed as people write it or chosen from a month. */
export function DateField({ value, onChange, label, hideLabel = false, ...props }: Props) {
  const { description, error, optional = false, placeholder = "" } = props;
  const { field, problem, choose } = useTyped({ value, onChange, typed: typedDate });
  const shown = problem ?? error;
  return (
    <AriaTextField
      {...field}
      {...(hideLabel ? { "aria-label": label } : {})}
      isInvalid={shown !== undefined}
      data-date
      className={styles.field ?? ""}
    >
      {!hideLabel && <FieldLabel label={label} optional={optional} />}
      <DateInput label={label} value={value} onChoose={choose} placeholder={placeholder} />
      <FieldHelp description={description} error={shown} />
    </AriaTextField>
  );
}

type InputProps = { label: string; value: string; onChoose: (day: string) => void; placeholder?: string };

/** The text field with its calendar, within a TextField. */
export function DateInput({ label, value, onChoose, placeholder = "" }: InputProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Group className={styles.group ?? ""}>
        <Input
          className={classes(styles.input, dates.date)}
          placeholder={placeholder}
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" || !event.altKey) return;
            event.preventDefault();
            setOpen(true);
          }}
        />
        <Button className={styles.inside ?? ""} aria-label={`${label}: choose from a calendar`}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <Popover className={dates.popover ?? ""} offset={4} placement="bottom end">
        <Dialog className={dates.dialog ?? ""} aria-label={label}>
          <Suspense fallback={<Skeleton width="266px" height="290px" label="Loading the calendar" />}>
            <MonthGrid
              value={typedDate.read(value)}
              onChoose={(day) => {
                onChoose(day);
                setOpen(false);
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
