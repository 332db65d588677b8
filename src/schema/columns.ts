import sql, { join, raw, type Sql } from "sql-template-tag";
import type { NounFields } from "../../contract/schema/noun.js";

/** The select list of the fields of a table alias, as responses show them. */
export function columnsOf(alias: string, fields: NounFields, baseUrl: string): Sql {
  return join(
    Object.entries(fields).map(([name, { column }]) => {
      const stored = raw(`${alias}.${name}`);
      if (column === "timestamp") return sql`iso8601(${stored}) as ${raw(name)}`;
      return column === "image" ? sql`absolute_url(${baseUrl}, ${stored}) as ${raw(name)}` : stored;
    }),
  );
}
