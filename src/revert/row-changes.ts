import { canonicalJson } from "../../contract/canonical-json.js";
import type { RevertibleTable, Row } from "./revertible-table.js";

/** A row before and after a change, as `keep_row_change` (migrations/0023_row_changes.sql) keeps it. */
export type KeptRowChange = { table: string; before: Row | null; after: Row | null };

/** What a change did to one row in all. A row that was written without a difference is equal before and after. */
export type RowChange = { table: RevertibleTable; key: string; before: Row | null; after: Row | null };

/** The key of a row as text. */
export function keyOf(table: RevertibleTable, row: Row): string {
  return table.key.map((column) => String(row[column])).join(" ");
}

/** One change per row, from the kept ones in their order: a statement may have written the same row again. */
export function mergeRowChanges(kept: KeptRowChange[], tables: readonly RevertibleTable[]): RowChange[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const merged = new Map<string, RowChange>();
  for (const { table: name, before, after } of kept) {
    const table = byName.get(name);
    if (table === undefined) throw new Error(`no declaration of the revertible table ${name}`);
    const key = keyOf(table, before ?? after ?? {});
    const place = `${name} ${key}`;
    const first = merged.get(place);
    merged.set(place, first === undefined ? { table, key, before, after } : followed(first, { before, after }));
  }
  return [...merged.values()].filter(({ before, after }) => before !== null || after !== null);
}

function followed(first: RowChange, { before, after }: Pick<RowChange, "before" | "after">): RowChange {
  return {
    ...first,
    // Of a changed row only the columns that differ are kept, so later changes may name others.
    before: first.before === null ? null : { ...before, ...first.before },
    after: after === null ? null : { ...first.after, ...after },
  };
}

/** The columns of a changed row that differ. */
export function differingColumns({ before, after }: Pick<RowChange, "before" | "after">): string[] {
  if (before === null || after === null) return [];
  return Object.keys(before).filter((column) => !isEqual(before[column], after[column]));
}

export function isEqual(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
