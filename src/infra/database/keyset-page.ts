import { hash } from "node:crypto";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { fieldError, type ServiceError } from "../../../contract/errors.js";
import { maximumPage } from "../../../contract/nouns.js";
import { type Queryable, sqlState } from "./db.js";
import { type ReadPoint, readPointColumns } from "./read-point.js";
import { asSubquery, inlined, nameOf, type ValueType } from "./statement-names.js";

/** The sort key of the last row of the previous page, each column as text. */
export type Position = string[];

export type KeysetPage = { items: string[]; nextCursor: string | null };

/** A page whose items are one text, separated by commas. */
export type TextPage = { items: string; count: number; nextCursor: string | null; readAt: ReadPoint };

export type Direction = "asc" | "desc";

export const timeOrders = { latest: "desc", earliest: "asc" } as const;

/** The paging of a list in a response. */
export function paginationOf(nextCursor: string | null, count: number) {
  return { has_more: nextCursor !== null, next_cursor: nextCursor, count };
}

/**
 * Reads one page by keyset pagination. `rows` selects `item` (JSON text) and `position` (text[]) of the rows after a
 * position, in order. `list` identifies the endpoint and its filters; a cursor is valid only for the same list.
 */
export async function readPage(
  db: Queryable,
  list: unknown[],
  query: { cursor?: string | undefined; limit: number },
  rows: (after: Position | null, limit: number) => Sql,
): Promise<KeysetPage> {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, list);
  const found = await db
    .query<{ item: string; position: Position }>(rows(after, query.limit + 1))
    .catch((error: unknown) => throwAfter(after, error));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => row.item),
    nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last.position, list) : null,
  };
}

/**
 * The same for pages that are only sent on, as one row: the driver spends more on a row per item than the database on
 * reading them. The statement is planned once per connection. Its inner limit is a constant, from which the planner sees
 * that few rows are read; with a parameter it would assume a tenth of the table.
 */
export async function readTextPage(
  db: Queryable,
  list: [name: string, ...unknown[]],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  rows: (after: Position | null, limit: Sql) => Sql,
): Promise<TextPage> {
  const after = cursor === undefined ? null : decodeCursor(cursor, list);
  const statement = textPage(rows(after, inlined(maximumPage + 1)), limit);
  const [page] = await db
    .query<PageRow>(statement, nameOf(`list ${list[0]}`, statement))
    .catch((error: unknown) => throwAfter(after, error));
  if (page === undefined) throw new Error("reading a page returned no row");
  const { items, count, last, server, snapshot } = page;
  return {
    items,
    count: Math.min(count, limit),
    nextCursor: count > limit && last !== null ? encodeCursor(last, list) : null,
    readAt: { server, snapshot },
  };
}

/** Whether a row, with its columns in the order of the list, comes after a position. */
export function comesAfter(columns: Sql, after: Position | null, types: ValueType[]): Sql {
  if (after === null) return sql`true`;
  const values = types.map((type, place) => asSubquery(after[place], type));
  return sql`(${columns}) > (${join(values)})`;
}

/** The same in either direction, with the position as parameters whose values the planner knows. */
export function comesAfterIn(
  direction: Direction,
  columns: Sql,
  after: Position | null,
  types = ["timestamptz", "uuid"],
): Sql {
  if (after === null) return sql`true`;
  const values = types.map((type, place) => sql`${after[place] ?? null}::${raw(type)}`);
  return sql`(${columns}) ${raw(direction === "asc" ? ">" : "<")} (${join(values)})`;
}

type PageRow = { items: string; count: number; last: Position | null } & ReadPoint;

export function textPage(rows: Sql, limit: number): Sql {
  return sql`
    select coalesce(string_agg(item, ',') filter (where n <= ${limit}::int), '') as items, count(*) as count,
      max(position) filter (where n = ${limit}::int) as last, ${readPointColumns}
    from (select item, position, row_number() over () as n from (${rows}) list limit ${limit}::int + 1) page`;
}

/** The error of a page; a position that the database cannot read is a wrong cursor. */
export function throwAfter(after: Position | null, error: unknown): never {
  // Class 22, "data exception": no row has such a position.
  throw after !== null && sqlState(error)?.startsWith("22") ? invalidCursor() : error;
}

/** In base64url, of 12 bytes, so that what follows it starts with a character of its own. */
const checksumLength = 16;
const separator = "\n";

export function encodeCursor(position: Position, list: unknown[]): string {
  const payload = position.join(separator);
  return checksum(payload, list) + Buffer.from(payload).toString("base64url");
}

export function decodeCursor(cursor: string, list: unknown[]): Position {
  const payload = Buffer.from(cursor.slice(checksumLength), "base64url").toString();
  const position = payload.split(separator);
  if (encodeCursor(position, list) !== cursor) throw invalidCursor();
  return position;
}

/** Detects mistakes, not forgery: a cursor grants no access, it is only a position in a list. */
function checksum(payload: string, list: unknown[]): string {
  return hash("sha256", JSON.stringify(list) + payload, "base64url").slice(0, checksumLength);
}

function invalidCursor(): ServiceError {
  return fieldError(
    "cursor",
    "expected the next_cursor of a page of the same list with the same filters; omit it to start from the first page",
  );
}
