import type { ReactElement, ReactNode } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Header,
  type MenuItemProps,
  MenuTrigger,
  Popover,
  type PopoverProps,
  Separator,
} from "react-aria-components";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton, type IconButtonProps } from "./icon-button.tsx";
import list from "./listbox.module.css";

type MenuProps = {
  /** The button that opens it; by default one with three dots. */
  trigger?: ReactElement;
  label: string;
  /** Of the button with three dots. */
  size?: IconButtonProps["size"];
  children: ReactNode;
  placement?: PopoverProps["placement"];
};

export function Menu({ trigger, label, size = "medium", children, placement = "bottom end" }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger ?? <IconButton icon="more" label={label} size={size} />}
      <Popover className={list.popover ?? ""} offset={4} placement={placement}>
        <AriaMenu className={list.list ?? ""} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

type ItemProps = Omit<MenuItemProps, "className" | "style" | "children" | "textValue"> & {
  label: string;
  hint?: string;
  icon?: IconName;
  /** In the place of an icon. */
  picture?: ReactNode;
  danger?: boolean;
  /** Marks the current choice of a menu that works like a list of options. */
  isCurrent?: boolean;
};

/** With `href` it is a link of the console or, with target="_blank", to elsewhere. */
export function MenuItem({ label, hint, icon, picture, danger = false, isCurrent = false, ...rest }: ItemProps) {
  return (
    <AriaMenuItem
      {...rest}
      textValue={label}
      {...(isCurrent ? { "aria-current": "true" as const } : {})}
      className={classes(list.item, list.plain, danger && list.danger)}
    >
      {icon === undefined ? picture : <Icon name={icon} />}
      <span className="column shrinks">
        {label}
        {hint !== undefined && <span className="muted tiny">{hint}</span>}
      </span>
      {isCurrent && (
        <span className={list.keys}>
          <Icon name="check" size={14} />
        </span>
      )}
    </AriaMenuItem>
  );
}

export function MenuSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AriaMenuSection>
      <Header className={list.header ?? ""}>{title}</Header>
      {children}
    </AriaMenuSection>
  );
}

export const MenuSeparator = () => <Separator className={list.separator ?? ""} />;
