import type { FormEvent, ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./form.module.css";

type Props = {
  onSubmit: () => void;
  children: ReactNode;
  label?: string;
  /** For a button outside of the form that submits it. */
  id?: string;
  /** For forms with fields beside each other. */
  wide?: boolean;
};

/** Fields under each other in one column. Submits without reloading the page. */
export function Form({ onSubmit, children, label, id, wide = false }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const tooLong = event.currentTarget.querySelector("[data-too-long]")?.querySelector<HTMLElement>("input, textarea");
    if (tooLong != null) tooLong.focus();
    else onSubmit();
  };
  return (
    <form
      className={classes(styles.form, wide && styles.wide)}
      onSubmit={submit}
      noValidate
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      {children}
    </form>
  );
}

export const FormActions = ({ children }: { children: ReactNode }) => <div className="flex wrap gap-2">{children}</div>;
