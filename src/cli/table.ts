import stringWidth from "string-width";
import { bold, print, printable } from "./output.js";

export function printTable(rows: Record<string, string>[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const widths = columns.map((name) =>
    rows.reduce((width, row) => Math.max(width, printedWidth(row[name] ?? "")), printedWidth(name)),
  );
  const format = (cells: string[]) =>
    cells
      .map((cell, index) => printable(cell) + " ".repeat(Math.max(0, (widths[index] ?? 0) - printedWidth(cell))))
      .join("  ")
      .trimEnd();
  print(bold(format(columns.map((name) => name.replaceAll("_", " ").toUpperCase()))));
  for (const row of rows) print(format(columns.map((name) => row[name] ?? "")));
}

function printedWidth(cell: string): number {
  return stringWidth(printable(cell));
}
