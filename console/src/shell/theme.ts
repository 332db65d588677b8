import { useLayoutEffect, useSyncExternalStore } from "react";
import { accentFor } from "../styles/accent.ts";

export type Theme = "system" | "light" | "dark";

const name = "theme";
const listeners = new Set<() => void>();

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);

/** boot.js applies what is stored before the first paint. */
export function setTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(name);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(name, theme);
    document.documentElement.dataset.theme = theme;
  }
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tints the accent with the organization's colour, where it stays readable. */
export function useBrandColor(color: string | null): void {
  useLayoutEffect(() => {
    if (color === null) return;
    const { style } = document.documentElement;
    const names: string[] = [];
    for (const theme of ["light", "dark"] as const) {
      const accent = accentFor(color, theme);
      if (accent === undefined) continue;
      style.setProperty(`--brand-${theme}`, accent.fill);
      style.setProperty(`--on-brand-${theme}`, accent.on);
      names.push(`--brand-${theme}`, `--on-brand-${theme}`);
    }
    return () => {
      for (const property of names) style.removeProperty(property);
    };
  }, [color]);
}
