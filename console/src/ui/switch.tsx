import type { ReactNode } from "react";
import { Switch as AriaSwitch, type SwitchProps } from "react-aria-components";
import choice from "./choice.module.css";

type Props = Omit<SwitchProps, "className" | "style" | "children"> & { children: ReactNode };

/** Takes effect at once; in a form that is saved, use a Checkbox. */
export function Switch({ children, ...rest }: Props) {
  return (
    <AriaSwitch {...rest} className={choice.choice ?? ""}>
      <span className={choice.track} />
      <span className="column shrinks">{children}</span>
    </AriaSwitch>
  );
}
