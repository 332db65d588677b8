import type { ReactNode } from "react";
import { FieldError, Label, Text } from "react-aria-components";
import styles from "./field.module.css";
import { Icon } from "./icon.tsx";

/** What all fields have in common. Required is the rule, so optional fields say so. */
export type FieldProps = {
  label: string;
  description?: ReactNode;
  /** What the service or the page has against the value. */
  error?: string | undefined;
  optional?: boolean;
};

export function FieldLabel({ label, optional = false }: Pick<FieldProps, "label" | "optional">) {
  return (
    <Label className={styles.label ?? ""}>
      {label}
      {optional && <span className="faint regular"> (optional)</span>}
    </Label>
  );
}

export function FieldHelp({ description, error }: Pick<FieldProps, "description" | "error">) {
  return (
    <>
      {description !== undefined && (
        <Text slot="description" className={styles.description ?? ""}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ""}>
        {({ validationErrors }) => (
          <>
            <Icon name="alert" size={14} />
            <span>{error ?? validationErrors.join(" ")}</span>
          </>
        )}
      </FieldError>
    </>
  );
}
