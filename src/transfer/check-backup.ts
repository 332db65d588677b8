import { findMigratedTables } from "../infra/database/migrated-tables.js";
import { columnsInBackup, findKnownMigrations, type TableDigest } from "./backup-tables.js";
import type { BackupPart } from "./read-backup.js";
import type { BackupSummary } from "./write-backup.js";

/** Reads a whole backup, and throws unless this version can restore it; needs no database. */
export async function checkBackup(
  parts: AsyncIterable<BackupPart>,
  options: { migrations?: URL } = {},
): Promise<BackupSummary> {
  const tables: TableDigest[] = [];
  const columns = new Map<string, string[]>();
  let header: Extract<BackupPart, { kind: "header" }> | undefined;
  let sha256 = "";
  for await (const part of parts) {
    if (part.kind === "header") header = part;
    if (part.kind === "table") columns.set(part.table, part.columns);
    if (part.kind === "table end") tables.push({ name: part.name, rows: part.rows, sha256: part.sha256 });
    if (part.kind === "end") sha256 = part.sha256;
  }
  if (header === undefined) throw new Error("the backup has no header");
  const known = await findKnownMigrations("backup", header.migrations, options.migrations);
  const expected = columnsInBackup(findMigratedTables(known));
  requireKnown(columns, expected);
  requireComplete(columns, expected);
  const rows = tables.reduce((total, table) => total + table.rows, 0);
  return { created_at: header.created_at, tables, rows, sha256 };
}

type Columns = Map<string, string[]>;

/** Throws for what the migrations of a backup do not make. */
export function requireKnown(found: Columns, expected: Columns): void {
  const unknown = difference(found, expected);
  if (unknown.length === 0) return;
  throw new Error(
    `the backup has ${unknown.join(", ")}, which a backup with its migrations does not have: restore it with the version that made it, into a database with the same tables`,
  );
}

export function requireComplete(found: Columns, expected: Columns): void {
  const missing = difference(expected, found);
  if (missing.length > 0) throw new Error(`the backup lacks ${missing.join(", ")}: restore another one`);
}

/** Tables, and columns such as "events.id", of the first that the second does not have. */
function difference(first: Columns, second: Columns): string[] {
  return [...first].flatMap(([table, columns]) => {
    const others = second.get(table);
    if (others === undefined) return [table];
    return columns.filter((column) => !others.includes(column)).map((column) => `${table}.${column}`);
  });
}
