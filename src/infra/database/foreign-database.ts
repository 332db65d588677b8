import { sqlState, undefinedColumn } from "./database-errors.js";

/** Other programs have a table `schema_migrations`, too. */
export const foreignDatabase = "this database belongs to another program";

/** For a statement that reads `schema_migrations`. */
export function failIfForeign(error: unknown): never {
  if (sqlState(error) !== undefinedColumn) throw error;
  throw new Error(`${foreignDatabase}: correct DATABASE_URL`, { cause: error });
}

export function isForeign(error: unknown): boolean {
  return error instanceof Error && sqlState(error.cause) === undefinedColumn;
}
