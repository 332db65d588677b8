import { ServiceError } from "../../contract/errors.js";
import {
  differingColumns,
  isEqual,
  keyOf,
  type RevertibleTable,
  type Row,
  type RowChange,
} from "./revertible-table.js";

/** The stored rows of each table by key: those of the change, and all of the lists that they belong to. */
export type StoredRows = Map<string, Map<string, Row>>;

/** What writes one row back. `columns` are those of a row that stays. */
export type RestoreStep = { change: RowChange; now: Row | null; earlier: Row | null; columns: string[] };

/** A row that differs from what the change left, and in what. */
export type Obstacle = { change: RowChange; now: Row | null; columns: string[] };

export type RestorePlan = {
  steps: RestoreStep[];
  obstacles: Obstacle[];
  /** Tables in which others came, went or moved since, so that their rows have to be numbered again. */
  toRenumber: Set<RevertibleTable>;
};

/**
 * How to undo the changes: a field that still has the value that the change gave it gets the earlier one, and one that has
 * the earlier one already stays. Any other was changed since, and is an obstacle.
 */
export function planRestore(changes: RowChange[], stored: StoredRows): RestorePlan {
  const plan: RestorePlan = { steps: [], obstacles: listObstacles(changes, stored), toRenumber: new Set() };
  for (const change of changes) {
    const now = stored.get(change.table.name)?.get(change.key) ?? null;
    const { before, after } = change;
    if (before !== null && after !== null) planChanged(plan, changes, change, now);
    else if (after !== null) planAdded(plan, change, after, now);
    else if (before !== null) planRemoved(plan, change, before, now);
  }
  for (const table of new Set(plan.steps.map(({ change }) => change.table))) {
    if (hasTies(plan.steps, table, stored)) plan.toRenumber.add(table);
  }
  return plan;
}

/** The columns whose difference a reader is shown. */
export function shownColumns(changes: RowChange[], change: RowChange): string[] {
  const { order } = change.table;
  const follows = order !== undefined && (!order.isShown || placesFollow(changes, change.table));
  return differingColumns(change).filter((column) => !follows || column !== order.column);
}

function planAdded(plan: RestorePlan, change: RowChange, after: Row, now: Row | null): void {
  if (now === null) return;
  const columns = differing(change.table, now, after);
  if (columns.length > 0) plan.obstacles.push({ change, now, columns });
  else plan.steps.push({ change, now, earlier: null, columns: [] });
}

function planRemoved(plan: RestorePlan, change: RowChange, before: Row, now: Row | null): void {
  if (now === null) plan.steps.push({ change, now: null, earlier: before, columns: [] });
  else {
    const columns = differing(change.table, now, before);
    if (columns.length > 0) plan.obstacles.push({ change, now, columns });
  }
}

function planChanged(plan: RestorePlan, changes: RowChange[], change: RowChange, now: Row | null): void {
  const { table, before, after } = change;
  const columns = differingColumns(change);
  if (columns.length === 0) return;
  if (now === null) {
    plan.obstacles.push({ change, now, columns });
    return;
  }
  const changed = columns.filter((column) => isEqual(now[column], after?.[column]));
  const others = columns.filter(
    (column) => !isEqual(now[column], after?.[column]) && !isEqual(now[column], before?.[column]),
  );
  const moved = others.filter((column) => column === table.order?.column && followsOthers(changes, table));
  const obstacles = others.filter((column) => !moved.includes(column));
  if (moved.length > 0) plan.toRenumber.add(table);
  if (obstacles.length > 0) plan.obstacles.push({ change, now, columns: obstacles });
  else if (changed.length > 0) {
    const earlier = { ...now, ...Object.fromEntries(changed.map((column) => [column, before?.[column]])) };
    plan.steps.push({ change, now, earlier, columns: changed });
  }
}

/** The place of a row is not a change of the row itself. */
function differing({ order }: RevertibleTable, now: Row, wanted: Row): string[] {
  return Object.keys(wanted).filter((column) => column !== order?.column && !isEqual(now[column], wanted[column]));
}

function followsOthers(changes: RowChange[], table: RevertibleTable): boolean {
  return table.order?.isShown === false || placesFollow(changes, table);
}

/** Whether places changed only because rows came or went. */
function placesFollow(changes: RowChange[], table: RevertibleTable): boolean {
  return changes.some((change) => change.table === table && (change.before === null || change.after === null));
}

/** Restored rows that share a place with a row of which the change knows nothing. */
function hasTies(steps: RestoreStep[], table: RevertibleTable, stored: StoredRows): boolean {
  const { order } = table;
  if (order === undefined || table.renumber === undefined) return false;
  const restored = steps.filter(
    ({ change, now, earlier, columns }) =>
      change.table === table && earlier !== null && (now === null || columns.includes(order.column)),
  );
  const places = new Set(restored.map(({ earlier }) => earlier?.[order.column]));
  const keys = new Set(steps.filter(({ change }) => change.table === table).map(({ change }) => change.key));
  const others = [...(stored.get(table.name) ?? [])].filter(([key]) => !keys.has(key));
  return others.some(([, row]) => places.has(row[order.column]));
}

/** Lists that the change wrote as a whole and that have other rows now. */
function listObstacles(changes: RowChange[], stored: StoredRows): Obstacle[] {
  const isGone = (table: RevertibleTable, row: Row) =>
    changes.some((change) => change.after === null && change.key === String(row[table.list?.memberColumn ?? ""]));
  return changes.flatMap((change) => {
    const { table, before, after } = change;
    const row = after ?? before;
    if (table.list === undefined || row === null || (after === null && isGone(table, row))) return [];
    const { column } = table.list;
    const known = new Set(changes.filter((other) => other.table === table).map(({ key }) => key));
    const added = [...(stored.get(table.name)?.values() ?? [])].find(
      (now) => now[column] === row[column] && !known.has(keyOf(table, now)),
    );
    return added === undefined ? [] : [{ change, now: added, columns: [table.list.members] }];
  });
}

const namedObstacles = 3;

/** Why a change cannot be reverted, and what to do instead. */
export function changedSince(obstacles: Obstacle[]): ServiceError {
  const texts = [...new Set(obstacles.map(obstacleInWords))];
  const shown = texts.slice(0, namedObstacles).join(", and ");
  const more = texts.length > namedObstacles ? `, and ${texts.length - namedObstacles} more` : "";
  const instead = [...new Set(obstacles.map(toolInstead))].join(", ");
  return new ServiceError(
    "conflict",
    `Cannot revert, because ${shown} since${more}. Nothing was reverted. Revert the later changes first (list_changes lists them), or use ${instead}`,
    { details: { changed_since: texts, instead } },
  );
}

function obstacleInWords({ change, now, columns }: Obstacle): string {
  const { table, before, after } = change;
  const row = `the ${table.noun}${nameOf(table, now ?? before ?? after ?? {})}`;
  if (table.list !== undefined && columns.includes(table.list.members)) return `the ${table.list.members} were changed`;
  if (now === null) return `${row} was removed`;
  if (after === null) return `${row} was added again`;
  return `the ${columns.map((column) => column.replaceAll("_", " ")).join(", ")} of ${row} was changed`;
}

function toolInstead({ change: { table, before, after } }: Obstacle): string {
  return before === null ? table.instead.remove : after === null ? table.instead.add : table.instead.change;
}

/** “Ada Lovelace” after a noun; nothing if the row has no name. */
export function nameOf(table: RevertibleTable, row: Row): string {
  const name = table.label.map((column) => row[column]).find((value) => typeof value === "string" && value !== "");
  return name === undefined ? "" : ` “${name}”`;
}
