import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";

/** The filters of a list: what each accepts in a query string, and its condition on a row `v` of the visible rows. */
export type Filters = Record<string, { query: z.ZodType; condition(value: never): Sql }>;

export type FilterValues<List extends Filters> = { [Name in keyof List]?: z.output<List[Name]["query"]> };

/** The query parameters of a list's filters. */
export function filterQuery<List extends Filters>(filters: List) {
  return Object.fromEntries(Object.entries(filters).map(([name, { query }]) => [name, query])) as {
    [Name in keyof List]: List[Name]["query"];
  };
}

/** The condition of all filters that have a value. */
export function filterConditions<List extends Filters>(filters: List, values: FilterValues<List>): Sql {
  const conditions = Object.entries(filters).flatMap(([name, { condition }]) => {
    const value = values[name];
    return value === undefined ? [] : [condition(value as never)];
  });
  return conditions.length === 0 ? sql`true` : join(conditions, " and ");
}
