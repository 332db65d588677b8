/** The rows of a Markdown table without its headings, as arguments for `it.each` and `describe.each`. */
export function specTable(markdown: string): string[][] {
  const [, , ...rows] = markdown.trim().split("\n");
  return rows.map((row) => {
    const cells = row.trim().slice(1, -1).split("|");
    return cells.map((cell) => cell.trim());
  });
}

/** The values that a cell names: what is between code marks. */
export function valuesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}
