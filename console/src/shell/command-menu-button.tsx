import { Suspense, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../ui/icon.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import styles from "./command-menu-button.module.css";

const CommandMenu = lazyPart(() => import("./command-menu.tsx"), "CommandMenu");

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** Opens the command menu, as ⌘K and Ctrl+K do everywhere. Its code is loaded then. */
export function CommandMenuButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <Button className={styles.button ?? ""} onPress={() => setOpen(true)} aria-label="Search and commands">
        <Icon name="search" />
        <span className={styles.label}>Search</span>
        <kbd className={styles.keys}>{shortcut}</kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <CommandMenu onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
