import stringWidth from "string-width";
import { bold, print, printable } from "./output.js";

export type TableOptions = {
  /** Columns to shorten first in a table that is too wide; the others only if that is not enough. */
  shorten?: string[];
  /** How wide a table may be where there is no terminal. */
  width?: number;
};

const gap = 2;
const narrowestTerminal = 80;
/** Columns that are shortened first keep this much. */
const shortenedTo = 12;

/** Prints aligned columns that fit the terminal. What is cut off ends with "…": --json has all of it. */
export function printTable(
  rows: Record<string, string>[],
  { shorten = [], width: widthElsewhere = 100 }: TableOptions = {},
): void {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const { columns: terminal } = process.stdout;
  const available = terminal === undefined ? widthElsewhere : Math.max(terminal, narrowestTerminal);
  const widths = fitWidths(naturalWidths(columns, rows), shorten, available - gap * (columns.length - 1));
  const format = (cellOf: (column: string) => string) =>
    columns
      .map((column) => padded(printable(cellOf(column)), widths.get(column) ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  print(bold(format(titleOf)));
  for (const row of rows) print(format((column) => row[column] ?? ""));
}

function naturalWidths(columns: string[], rows: Record<string, string>[]): Map<string, number> {
  const widthIn = (column: string) =>
    rows.reduce(
      (width, row) => Math.max(width, stringWidth(printable(row[column] ?? ""))),
      stringWidth(titleOf(column)),
    );
  return new Map(columns.map((column) => [column, widthIn(column)]));
}

/** Takes away from the widest column until all fit. */
function fitWidths(widths: Map<string, number>, shorten: string[], available: number): Map<string, number> {
  const fitted = new Map(widths);
  let excess = [...widths.values()].reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess--) {
    const first = shorten.filter((column) => (fitted.get(column) ?? 0) > shortenedTo);
    const candidates = first.length > 0 ? first : [...fitted.keys()];
    const widest = candidates.reduce((one, other) => ((fitted.get(other) ?? 0) > (fitted.get(one) ?? 0) ? other : one));
    fitted.set(widest, (fitted.get(widest) ?? 0) - 1);
  }
  return fitted;
}

function titleOf(column: string): string {
  return column.replaceAll("_", " ").toUpperCase();
}

function padded(text: string, width: number): string {
  const shortened = stringWidth(text) <= width ? text : `${beginningOf(text, width - 1)}…`;
  return shortened + " ".repeat(Math.max(0, width - stringWidth(shortened)));
}

const graphemes = new Intl.Segmenter();

function beginningOf(text: string, width: number): string {
  let beginning = "";
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(beginning + segment) > width) break;
    beginning += segment;
  }
  return beginning;
}
