import { canonicalJson } from "./canonical-json.js";

export type Change = { path: string; from: unknown; to: unknown };

/** The differences between two states, field by field. Rows of a list are matched by id; a new row has none. */
export function changesBetween(from: unknown, to: unknown, path = ""): Change[] {
  if (canonicalJson(from) === canonicalJson(to)) return [];
  if (isRecord(from) && isRecord(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    // How many rows a result does not show is no change.
    if (path === "") keys.delete("left_out");
    return [...keys].flatMap((key) =>
      changesBetween(own(from, key), own(to, key), path === "" ? key : `${path}.${key}`),
    );
  }
  if (isRowList(from) && isRowList(to)) return changesOfRows(from, to, path);
  return [{ path, from: from ?? null, to: to ?? null }];
}

/** The fields of the proposed state that differ. A field that is stored in another form than it is shown must not be written back. */
export function changedFields<Fields extends object>(current: Fields, proposed: Fields): Partial<Fields> {
  const before = new Map(Object.entries(current));
  const changed = Object.entries(proposed).filter(
    ([name, value]) => canonicalJson(before.get(name)) !== canonicalJson(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

type Row = { id: string | null };

function changesOfRows(from: Row[], to: Row[], path: string): Change[] {
  const before = new Map(from.map((row) => [row.id, row]));
  const after = new Set(to.map((row) => row.id));
  const removed = from.filter((row) => !after.has(row.id));
  const rows = [
    ...removed.map((row) => ({ path: `${path}[${row.id}]`, from: row, to: null })),
    ...to.flatMap((row) => {
      const known = row.id === null ? undefined : before.get(row.id);
      return known === undefined
        ? [{ path: `${path}[${row.id ?? "new"}]`, from: null, to: row }]
        : changesBetween(known, row, `${path}[${row.id}]`);
    }),
  ];
  const orderBefore = from.map((row) => row.id).filter((id) => after.has(id));
  const orderAfter = to.map((row) => row.id).filter((id) => id !== null && before.has(id));
  const moved = canonicalJson(orderBefore) !== canonicalJson(orderAfter);
  return moved ? [...rows, { path, from: orderBefore, to: orderAfter }] : rows;
}

/** Keys come from callers: one named "constructor" must not find an inherited property. */
function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRowList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((item) => isRecord(item) && "id" in item);
}
