import type { Queryable } from "../infra/database/db.js";
import type { ToolState } from "../runner/mutation.js";
import { type RestorePlan, type StoredRows, shownColumns } from "./revert-rules.js";
import type { RevertibleTable, Row, RowChange } from "./revertible-table.js";

/** The stored state and the restored one, as previews and records show them. */
export async function restoreStates(
  tx: Queryable,
  changes: RowChange[],
  stored: StoredRows,
  { steps }: RestorePlan,
  baseUrl: string,
): Promise<{ current: ToolState; restored: ToolState }> {
  const current: ToolState = {};
  const restored: ToolState = {};
  const changed = (name: string, key: unknown) => {
    const change = changes.find((each) => each.table.name === name && each.key === key && isWhole(each));
    return change?.before ?? change?.after ?? undefined;
  };
  for (const table of new Set(changes.map((change) => change.table))) {
    const rows = changes
      .filter((change) => change.table === table)
      .map((change) => ({ change, columns: shownColumns(changes, change) }))
      .filter(({ change, columns }) => isWhole(change) || columns.length > 0)
      .map(({ change, columns }) => {
        const now = stored.get(table.name)?.get(change.key) ?? null;
        const step = steps.find((each) => each.change === change);
        return { change, now, earlier: step === undefined ? now : step.earlier, columns };
      });
    if (rows.length === 0) continue;
    const known = rows.map(({ now, earlier }) => now ?? earlier).filter((row) => row !== null);
    const labels = (await table.findLabels?.(tx, known, changed)) ?? new Map<string, Row>();
    const shown = (row: Row | null, change: RowChange, columns: string[]) =>
      row === null
        ? null
        : {
            id: change.key,
            ...labels.get(change.key),
            ...shownRow(table, row, isWhole(change) ? table.whole : [...table.label, ...columns], baseUrl),
          };
    Object.assign(
      current,
      listed(
        table,
        rows.map(({ change, now, columns }) => shown(now, change, columns)),
      ),
    );
    Object.assign(
      restored,
      listed(
        table,
        rows.map(({ change, earlier, columns }) => shown(earlier, change, columns)),
      ),
    );
  }
  return { current, restored };
}

const isWhole = ({ before, after }: RowChange) => before === null || after === null;

/** One row under the name of its kind, several as a list or, like batches, by id. A row can be missing on either side. */
function listed(table: RevertibleTable, rows: (Row | null)[]): ToolState {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) return { [table.noun]: only };
  const found = rows.filter((row) => row !== null);
  return { [table.nouns]: table.showsById ? Object.fromEntries(found.map(({ id, ...row }) => [id, row])) : found };
}

function shownRow(table: RevertibleTable, row: Row, columns: readonly string[], baseUrl: string): Row {
  const values = columns.map((column) => {
    const value = row[column];
    const isPath = table.columns?.[column] === "image" && typeof value === "string" && value.startsWith("/");
    return [column, isPath ? baseUrl + value : value];
  });
  const shown = Object.fromEntries(values);
  return table.shown?.(shown) ?? shown;
}
