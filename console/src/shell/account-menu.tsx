import { useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { messageOf } from "../api/api-error.ts";
import { signOut, usePerson } from "../api/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu, MenuItem, MenuSection, MenuSeparator } from "../ui/menu.tsx";
import { showToast } from "../ui/toast-queue.ts";
import styles from "./account-menu.module.css";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const themes = [
  { theme: "system", label: "Match system", icon: "laptop" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
] as const satisfies { theme: Theme; label: string; icon: string }[];

export function AccountMenu() {
  const person = usePerson();
  const theme = useTheme();
  const navigate = useNavigate();
  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: "/sign-in" });
    } catch (error) {
      showToast(`You are still signed in. ${messageOf(error)}`, { tone: "danger" });
    }
  };
  const trigger = (
    <Button className={styles.trigger ?? ""} aria-label={`Account of ${person.name}`}>
      <Avatar name={person.name} size={24} />
      <span className={styles.name} dir="auto">
        {person.name}
      </span>
    </Button>
  );
  return (
    <Menu trigger={trigger} label="Account" placement="top start">
      <MenuItem href="/account" icon="user" label="Your account" hint={person.email} />
      <MenuItem href="/docs" icon="book" label="Documentation" />
      <MenuSeparator />
      <MenuSection title="Theme">
        {themes.map(({ theme: value, label, icon }) => (
          <MenuItem
            key={value}
            icon={icon}
            label={label}
            isCurrent={theme === value}
            onAction={() => setTheme(value)}
          />
        ))}
      </MenuSection>
      <MenuSeparator />
      <MenuItem icon="arrow-right" label="Sign out" onAction={() => void leave()} />
    </Menu>
  );
}
