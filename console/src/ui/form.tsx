import type { FormEvent, ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./form.module.css";
import { FormIsPending, usePending } from "./use-pending.ts";

type Props = {
  /** Until the promise that it may return is settled, the form is not submitted again. */
  onSubmit: () => unknown;
  children: ReactNode;
  label?: string;
  /** For a button outside of the form that submits it. */
  id?: string;
  /** For forms with fields beside each other. */
  wide?: boolean;
};

/** Fields under each other in one column. Submits without reloading the page, unless a field is unfinished: that gets the focus. */
export function Form({ onSubmit, children, label, id, wide = false }: Props) {
  const { isPending, run } = usePending();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const unfinished = event.currentTarget
      .querySelector("[data-unfinished]")
      ?.querySelector<HTMLElement>("input, textarea, button");
    if (unfinished != null) unfinished.focus();
    else run(onSubmit);
  };
  return (
    <form
      className={classes(styles.form, wide && styles.wide)}
      onSubmit={submit}
      noValidate
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      <FormIsPending value={isPending}>{children}</FormIsPending>
    </form>
  );
}

export const FormActions = ({ children }: { children: ReactNode }) => <div className="flex wrap gap-2">{children}</div>;
