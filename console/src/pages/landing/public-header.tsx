import type { ReactNode } from "react";
import { setTheme, useTheme } from "../../shell/theme.ts";
import { Wordmark } from "../../shell/wordmark.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Link } from "../../ui/link.tsx";
import styles from "./public-header.module.css";

/** The header of the pages that need no sign-in. */
export function PublicHeader({ start, children }: { start?: ReactNode; children: ReactNode }) {
  return (
    <header className={styles.header}>
      {start}
      <Link to="/" quiet className={styles.name}>
        <Wordmark />
      </Link>
      <div className={styles.end}>
        {children}
        <ThemeButton />
      </div>
    </header>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <IconButton
      icon={isDark ? "sun" : "moon"}
      label={isDark ? "Use light colours" : "Use dark colours"}
      size="small"
      onPress={() => setTheme(isDark ? "light" : "dark")}
    />
  );
}
