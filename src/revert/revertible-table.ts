import { canonicalJson } from "../../contract/canonical-json.js";
import type { Queryable } from "../infra/database/db.js";
import type { EventRole } from "../runner/tool.js";

/** A row as JSON, with timestamps in ISO 8601. */
export type Row = Record<string, unknown>;

/** A row that is written back. `now` is the stored row and `earlier` what it becomes; null where there is none. */
export type RestoredRow = { now: Row | null; earlier: Row | null };

/** What the checks of a table are given. */
export type RestoreContext = {
  tx: Queryable;
  eventId: string | undefined;
  imageQuotaBytes: number;
};

/**
 * A table whose rows a revert writes back. Its changes are kept by a trigger of migrations/0023_row_changes.sql, which also
 * names the columns that follow by themselves.
 */
export type RevertibleTable = {
  name: string;
  /** What one row and several are called, in states and messages. */
  noun: string;
  nouns: string;
  /** Whether several rows are shown by id, as batches are recorded. */
  showsById?: boolean;
  /** The columns of the primary key, all of type uuid. */
  key: readonly string[];
  /** The columns that identify a changed row to a reader. */
  label: readonly string[];
  /** The columns that are shown of a row that comes back or goes. */
  whole: readonly string[];
  columns?: Readonly<Record<string, "timestamp" | "image">>;
  /** A column with the place of a row among others: it follows when others come or go. */
  order?: { column: string; isShown: boolean };
  /** Rows with the same value of `column` are a list that is replaced as a whole; it shrinks when a row of `memberColumn` goes. */
  list?: { column: string; memberColumn: string; members: string };
  /** What the organization must be to the event, where that is more than the reverted tool requires. */
  eventRole?: EventRole;
  /** Tables with rows that are removed together with a row of this one. */
  dependents?: readonly { table: string; column: string; noun: string }[];
  /** Rows that a row which comes back needs. */
  parents?: readonly { column: string; table: string; noun: string }[];
  /** The tools that do what a refused revert would have done; `picture` where pictures are made rather than uploaded. */
  instead: { change: string; add: string; remove: string; picture?: string };
  /** How columns are shown, where that is not by their names and values. */
  shown?(columns: Row): Row;
  /** Columns of other tables that identify rows, by key. `changed` finds a row that the same change added or removed. */
  findLabels?(
    tx: Queryable,
    rows: Row[],
    changed: (table: string, key: unknown) => Row | undefined,
  ): Promise<Map<string, Row>>;
  /** Refuses what the rules of the table do not allow, with a ServiceError. */
  check?(context: RestoreContext, rows: RestoredRow[]): Promise<void> | void;
  /** Closes gaps and ties in `order` after others came or went since; `first` are the keys of rows that were restored. */
  renumber?(tx: Queryable, eventId: string, first: string[]): Promise<void>;
};

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
