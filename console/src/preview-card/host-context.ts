import { isRecord } from "../format/differences.ts";

export type HostContext = { timeZone?: unknown; theme?: unknown; styles?: unknown; toolInfo?: unknown };

/** Colours that are only legible together. Where a host has one of two, both stay those of the card. */
const pairs = [
  ["--color-background-primary", "--color-text-primary"],
  ["--color-background-inverse", "--color-text-inverse"],
  ["--color-background-warning", "--color-text-warning"],
  ["--color-background-danger", "--color-text-danger"],
  ["--color-background-success", "--color-text-success"],
];

/** Takes over the colours and fonts of the host; card.css has a value for each that it leaves out. */
export function applyHostContext({ theme, styles }: HostContext): void {
  const { style } = document.documentElement;
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  const given = isRecord(styles) && isRecord(styles.variables) ? styles.variables : {};
  const has = (name: string) => typeof given[name] === "string" && given[name] !== "";
  const incomplete = new Set(pairs.filter((pair) => !pair.every(has)).flat());
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("--") && typeof value === "string" && !incomplete.has(name)) style.setProperty(name, value);
  }
}

/** The name of the tool of this view, for results that do not say it. */
export function toolNameOf({ toolInfo }: HostContext): string | undefined {
  const tool = isRecord(toolInfo) ? toolInfo.tool : undefined;
  return isRecord(tool) && typeof tool.name === "string" ? tool.name : undefined;
}
