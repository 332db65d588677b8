// biome-ignore lint/suspicious/noExplicitAny: results have every shape.
type Json = any;

/**
 * Reads the text of a result back, as a client would that gets nothing else: the fields by name, tables as lists of rows.
 * Of an error, the first line becomes `code` and `message`.
 */
export function readResultText(text: string, { isError = false } = {}): Json {
  const lines = text === "" ? [] : text.split("\n");
  if (!isError) return readFields(lines, "").fields;
  const [, code, message] = /^(\w+): (.*)$/.exec(lines[0] ?? "") ?? [];
  const { untrusted_text, ...details } = readFields(lines.slice(1), "").fields;
  const mark = untrusted_text === undefined ? {} : { untrusted_text };
  // A conflict is a preview with an error beside it.
  if (details.commit_with !== undefined) return { ...mark, error: { code, message }, ...details };
  return { ...mark, error: { ...details, code, message } };
}

function readFields(lines: string[], indent: string): { fields: Json; used: number } {
  const fields: [string, Json][] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (!line.startsWith(indent) || line.startsWith(`${indent} `)) break;
    const { name, rest } = readName(line.slice(indent.length));
    at += 1;
    const counted = /^ \((\d+)\): (.*)$/.exec(rest);
    if (counted !== null) {
      const columns = cellsOf(counted[2] ?? "").map((column) => readName(column).name);
      const rows = lines.slice(at, at + Number(counted[1]));
      at += rows.length;
      fields.push([name, rows.map((row) => readRow(columns, row.slice(indent.length + 2)))]);
    } else if (rest === ":") {
      const inner = readFields(lines.slice(at), `${indent}  `);
      at += inner.used;
      fields.push([name, inner.fields]);
    } else fields.push([name, readValue(rest.slice(2))]);
  }
  return { fields: Object.fromEntries(fields), used: at };
}

function readRow(columns: string[], row: string): Json {
  const cells = cellsOf(row);
  if (cells.length !== columns.length) throw new Error(`${cells.length} cells for ${columns.length} columns: ${row}`);
  return Object.fromEntries(columns.map((column, index) => [column, readValue(cells[index] ?? "")]));
}

function readName(text: string): { name: string; rest: string } {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (quoted !== undefined) return { name: JSON.parse(quoted), rest: text.slice(quoted.length) };
  const name = /^[\w.-]+/.exec(text)?.[0] ?? "";
  return { name, rest: text.slice(name.length) };
}

/** A bar is never part of a value. */
function cellsOf(row: string): string[] {
  return row.split(" | ");
}

function readValue(text: string): Json {
  if (text === "-") return null;
  if (text.startsWith("[")) return readList(text);
  if (text.startsWith('"') || text.startsWith("{")) return JSON.parse(text);
  return /^(true|false|-?\d+(\.\d+)?(e[+-]?\d+)?)$/i.test(text) ? JSON.parse(text) : text;
}

function readList(text: string): Json {
  if (text.startsWith("[{") || text.startsWith("[[")) return JSON.parse(text);
  const items = text.slice(1, -1).matchAll(/("(?:[^"\\]|\\.)*"|[^,]+)(?:, |$)/g);
  return [...items].map(([, part = ""]) => readValue(part));
}

/** A result as its text can tell it: a table has no cell for a missing field, and no column without values. */
export function withoutEmptyCells(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyCells);
  if (typeof value !== "object" || value === null) return value;
  const cells = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(cells.map(([key, part]) => [key, withoutEmptyCells(part)]));
}
