import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";

/** The values of the filters of a list, which the contract declares. */
export type FilterValues<Filters extends Record<string, z.ZodType>> = {
  [Name in keyof Filters]?: z.output<Filters[Name]>;
};

/** The condition of each filter on a row of the list. */
export type Conditions<Filters extends Record<string, z.ZodType>> = {
  [Name in keyof Filters]-?: (value: NonNullable<z.output<Filters[Name]>>) => Sql;
};

/** The condition of all filters that have a value. */
export function filterConditions<Filters extends Record<string, z.ZodType>>(
  conditions: Conditions<Filters>,
  values: FilterValues<Filters>,
): Sql {
  const wanted = Object.entries<(value: never) => Sql>(conditions).flatMap(([name, condition]) => {
    const value = values[name];
    return value === undefined ? [] : [condition(value as never)];
  });
  return wanted.length === 0 ? sql`true` : join(wanted, " and ");
}
