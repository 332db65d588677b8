/** Columns by table; `generated` are those that the database computes. */
export type MigratedTables = Map<string, Map<string, { generated: boolean }>>;

/**
 * The tables and columns that migrations make, from their text, so that they are known without a database. It reads the
 * statements that migrations use: create, alter and drop table, outside of functions. A test compares the result with the
 * catalog after every migration.
 */
export function findMigratedTables(migrations: { text: string }[]): MigratedTables {
  const tables: MigratedTables = new Map();
  for (const { text } of migrations) {
    for (const statement of splitAt(";", tokensOf(text))) applyStatement(tables, statement);
  }
  return tables;
}

function applyStatement(tables: MigratedTables, statement: string[]): void {
  const [verb, ...rest] = statement;
  const from = rest.indexOf("table") + 1;
  if (verb === "create" && /^(table|unlogged table)$/.test(rest.slice(0, from).join(" "))) {
    createTable(tables, withoutWords(rest.slice(from), "if", "not", "exists"));
  } else if (verb === "alter" && from === 1) {
    const [table = "", ...actions] = withoutWords(rest.slice(from), "if", "exists", "only");
    for (const action of splitAt(",", actions)) alterTable(tables, nameOf(table), action);
  } else if (verb === "drop" && from === 1) {
    const names = splitAt(",", withoutWords(rest.slice(from), "if", "exists"));
    for (const [name = ""] of names) tables.delete(nameOf(name));
  }
}

const constraintWords = new Set(["constraint", "primary", "unique", "check", "foreign", "exclude", "like"]);

function createTable(tables: MigratedTables, [name = "", ...definition]: string[]): void {
  const columns = new Map<string, { generated: boolean }>();
  const body = definition.slice(1, closingParenthesis(definition));
  for (const element of splitAt(",", body)) addColumn(columns, element);
  tables.set(nameOf(name), columns);
}

function alterTable(tables: MigratedTables, table: string, [verb = "", ...rest]: string[]): void {
  const columns = tables.get(table);
  if (columns === undefined) return;
  const [name = "", ...definition] = withoutWords(rest, "column", "if", "not", "exists");
  if (verb === "add") addColumn(columns, [name, ...definition]);
  if (verb === "drop") columns.delete(nameOf(name));
  if (verb !== "rename") return;
  const to = nameOf(definition.at(-1) ?? "");
  if (name === "to") rename(tables, table, to);
  else rename(columns, nameOf(name), to);
}

function rename<Value>(values: Map<string, Value>, from: string, to: string): void {
  const value = values.get(from);
  if (value === undefined) return;
  values.delete(from);
  values.set(to, value);
}

function addColumn(columns: Map<string, { generated: boolean }>, [name = "", ...definition]: string[]): void {
  if (name === "" || constraintWords.has(name)) return;
  columns.set(nameOf(name), { generated: definition.join(" ").includes("generated always as (") });
}

/** Names in double quotes, words in lower case and single characters, without comments and the contents of strings. */
function tokensOf(text: string): string[] {
  const pattern =
    /--[^\n]*|\/\*.*?\*\/|e'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|"(?:[^"]|"")*"|\w+|\S/gis;
  const found = [...text.matchAll(pattern)].map(([token]) => token);
  return found
    .filter((token) => !/^(--|\/\*)/.test(token))
    .map((token) => (/^e?'|^\$/i.test(token) ? "''" : token.startsWith('"') ? token : token.toLowerCase()));
}

/** Parts between the separators that are not in parentheses. */
function splitAt(separator: string, tokens: string[]): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === separator && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function closingParenthesis(tokens: string[]): number {
  let depth = 0;
  return tokens.findIndex((token) => {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    return depth === 0;
  });
}

/** The tokens after those of these words that they begin with. */
function withoutWords(tokens: string[], ...words: string[]): string[] {
  return tokens.slice(tokens.findIndex((token) => !words.includes(token)));
}

function nameOf(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token;
}
