import styles from "./choice-buttons.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";

type Props<Value extends string | number> = {
  label: string;
  /** Chips stand for themselves; segments belong together; filters say how many there are of each. */
  look: "chips" | "segments" | "filters";
  options: { value: Value; label: string; icon?: IconName; count?: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** One of a few ways to look at the same thing, side by side. */
export function ChoiceButtons<Value extends string | number>({ label, look, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className={styles[look]}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={classes(styles.option, "small medium muted")}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.icon !== undefined && <Icon name={option.icon} size={14} />}
          {option.label}
          {option.count !== undefined && <span className={styles.count}>{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
