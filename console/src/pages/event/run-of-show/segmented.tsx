import { Icon, type IconName } from "../../../ui/icon.tsx";
import styles from "./segmented.module.css";

type Props<Value extends string | number> = {
  label: string;
  options: { value: Value; label: string; icon?: IconName }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** Two or three ways to look at the same thing, side by side. */
export function Segmented<Value extends string | number>({ label, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.option}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.icon !== undefined && <Icon name={option.icon} size={14} />}
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
