/** Spreadsheets need it to read the file as UTF-8. */
export const byteOrderMark = "\uFEFF";

/** RFC 4180: lines end with CR LF, and fields with separators, quotes or line breaks are quoted. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map((value) => csvField(value ?? "")).join(",")}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins like a formula, also behind spaces and in its full-width form; after an
 * apostrophe it is text.
 */
const formula = /^[\s\u00A0]*[=+\-@＝＋－＠]|^[\t\r\n]/;

function csvField(value: string): string {
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
