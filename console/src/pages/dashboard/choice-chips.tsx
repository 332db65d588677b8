import styles from "./choice-chips.module.css";

type Props<Value extends string> = {
  label: string;
  options: { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** One of a few ways to look at a list. */
export function ChoiceChips<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className="flex wrap gap-1 shrinks">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.chip}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
