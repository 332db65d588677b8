import { fieldsOf, type Json } from "../schema/json-schema.js";
import {
  getTransferList,
  type JoinTable,
  keyExpression,
  type NaturalKeyColumn,
  type TransferList,
  type TransferListName,
} from "./transfer-lists.js";

/**
 * Selects the rows of a list as one column `row`: the JSON text of each, with its fields in the order of the schema.
 * The sort order only depends on exported values, compared byte by byte, so that every database gives the same document.
 */
export function exportQuery(list: TransferList): string {
  const { parent, joinTable, omittedWhenNull } = list;
  const values = new Map(fieldsOf(list.schema).map(({ name, field }) => [name, columnValue(`x.${name}`, field)]));
  const parentKey = parent === null ? undefined : exportedKey(parent.list);
  if (parent !== null) {
    values.set(parent.field, parentKey === undefined ? `x.${parent.column}` : `p.${parentKey.column}`);
  }
  if (joinTable !== null) values.set(joinTable.field, entriesOf(joinTable));
  return `
    select ${omittedWhenNull === null ? "row_to_json(r)" : rowWithout(omittedWhenNull, [...values.keys()])}::text as row
    from (
      select ${[...values].map(([name, value]) => `${value} as ${name}`).join(", ")}
      from ${list.name} x
      ${parent === null || parentKey === undefined ? "" : `join ${parent.list} p on p.id = x.${parent.column}`}
      order by ${list.exportOrder.join(", ")}
    ) r`;
}

function columnValue(column: string, field: Json): string {
  const types = Array.isArray(field.anyOf) ? (field.anyOf as Json[]) : [field];
  if (types.some(({ format }) => format === "date-time")) return `iso8601(${column})`;
  // An import reads -0 as 0.
  return types.some(({ type }) => type === "number") ? `${column} + 0` : column;
}

/** The column that a reference is exported as, or undefined for the id: a name within a parent may be ambiguous. */
function exportedKey(target: TransferListName): NaturalKeyColumn | undefined {
  const { naturalKey, naturalKeyIsUnique, parent } = getTransferList(target);
  return naturalKeyIsUnique && parent === null ? naturalKey[0] : undefined;
}

function rowWithout(column: string, names: string[]): string {
  const others = names.filter((name) => name !== column).map((name) => `r.${name}`);
  return `case when r.${column} is null then ${objectOf(others.join(", "))} else row_to_json(r) end`;
}

function entriesOf({ table, owner, target, targetList, reference, role, ordered }: JoinTable): string {
  const key = exportedKey(targetList);
  const value = key === undefined ? `j.${target}` : `t.${key.column}`;
  const entry =
    reference === null ? `to_json(${value})` : objectOf(`${value} as ${reference}${role ? ", j.role" : ""}`);
  const order = ordered || key === undefined ? `j.position, j.${target}` : `${keyExpression("t", key)} collate "C"`;
  // json_agg would put line breaks between the entries.
  return `(
    select ('[' || coalesce(string_agg(${entry}::text, ',' order by ${order}), '') || ']')::json
    from ${table} j ${key === undefined ? "" : `join ${targetList} t on t.id = j.${target}`}
    where j.${owner} = x.id)`;
}

function objectOf(columns: string): string {
  return `(select row_to_json(item) from (select ${columns}) item)`;
}
