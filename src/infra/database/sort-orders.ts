import sql, { type Sql } from "sql-template-tag";

type SortOrder = { direction: Sql /** Compares a row with the last one of the page before. */; comesAfter: Sql };

const ascending: SortOrder = { direction: sql`asc`, comesAfter: sql`>` };
const descending: SortOrder = { direction: sql`desc`, comesAfter: sql`<` };

export const timeOrders = { latest: descending, earliest: ascending };
