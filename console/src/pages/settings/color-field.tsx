import { classes } from "../../ui/classes.ts";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./settings.module.css";

type Props = { label: string; value: string; onChange: (value: string) => void; isOwner: boolean };

/** The code of a colour beside the browser's own picker. */
export function ColorField({ label, value, onChange, isOwner }: Props) {
  const isValid = /^#[0-9a-f]{6}$/i.test(value.trim());
  return (
    <div className={styles.color}>
      <input
        type="color"
        className={classes(styles.picker, !isValid && styles.unset)}
        aria-label={`${label}: pick`}
        value={isValid ? value.trim().toLowerCase() : "#000000"}
        onChange={(event) => onChange(event.target.value)}
        disabled={!isOwner}
      />
      <TextField
        label={label}
        optional
        mono
        placeholder="#1a2b3c"
        value={value}
        onChange={onChange}
        isReadOnly={!isOwner}
        error={value.trim() === "" || isValid ? undefined : "Enter a colour such as #1a2b3c."}
      />
    </div>
  );
}
