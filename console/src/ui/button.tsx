import { createLink, type LinkComponent } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useContext } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import styles from "./button.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { FormIsPending, usePending } from "./use-pending.ts";

export type ButtonKind = "primary" | "secondary" | "danger" | "quiet";

type Look = { kind?: ButtonKind; size?: "medium" | "small"; icon?: IconName; full?: boolean };

export type ButtonProps = Omit<AriaButtonProps, "className" | "style" | "children" | "isPending"> &
  Look & { children: ReactNode; isPending?: boolean; ref?: Ref<HTMLButtonElement> };

/**
 * The label of a button is a verb: "Create key". While what it started is under way, it stays focusable, but does nothing:
 * `onPress` returns a promise, or the button submits a form whose `onSubmit` does, or `isPending` says so.
 */
export function Button({
  kind = "secondary",
  size = "medium",
  icon,
  full = false,
  isPending = false,
  ...props
}: ButtonProps) {
  const { children, onPress, ...rest } = props;
  const press = usePending();
  const isSubmitting = useContext(FormIsPending) && rest.type === "submit";
  const isBusy = isPending || press.isPending || isSubmitting;
  return (
    <AriaButton
      {...rest}
      {...(onPress === undefined ? {} : { onPress: (event) => press.run(() => onPress(event)) })}
      {...(isBusy ? pendingProps : {})}
      className={lookOf({ kind, size, full })}
    >
      <span className={styles.label}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </span>
      {isBusy && <Spinner />}
    </AriaButton>
  );
}

/** React Aria's own pending state announces by reference to the button, which is often gone by then. */
const pendingProps = {
  "aria-disabled": true,
  "data-busy": true,
  onPress: () => {},
  // Enter in a field must not submit again.
  type: "button" as const,
};

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & Look & { ref?: Ref<HTMLAnchorElement> };

function Anchor({ kind = "secondary", size = "medium", icon, full = false, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={lookOf({ kind, size, full })}>
      <span className={styles.label}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </span>
    </a>
  );
}

/** Goes somewhere, and looks like a button. Takes the props of a router link. */
export const ButtonLink: LinkComponent<typeof Anchor> = createLink(Anchor);

/** The same for an address outside of the console. */
export const ExternalButtonLink = (props: AnchorProps) => <Anchor {...props} target="_blank" rel="noreferrer" />;

/** Saves what the service sends as a file, under the name that it sends or `download` says. */
export const DownloadLink = ({ download = true, ...props }: AnchorProps & { href: string }) => (
  <Anchor icon="download" {...props} download={download} />
);

export function Spinner() {
  return (
    <span className={styles.spinner}>
      <span className="visually-hidden">In progress</span>
    </span>
  );
}

function lookOf({ kind, size, full }: Required<Omit<Look, "icon">>): string {
  return classes(styles.button, styles[kind], size === "small" && styles.small, full && styles.full);
}
