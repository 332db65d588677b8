import { hash } from "node:crypto";
import type { Sql } from "sql-template-tag";
import { fieldError, type ServiceError } from "../errors.js";
import { type Queryable, sqlState } from "./db.js";

/** The sort key of the last row of the previous page, each column as text. */
export type Position = string[];

export type KeysetPage = { items: string[]; nextCursor: string | null };

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
    .catch((error: unknown) => {
      // Class 22, "data exception": no row has such a position.
      throw after !== null && sqlState(error)?.startsWith("22") ? invalidCursor() : error;
    });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => row.item),
    nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last.position, list) : null,
  };
}

const checksumBytes = 12;
const separator = "\n";

function encodeCursor(position: Position, list: unknown[]): string {
  const payload = Buffer.from(position.join(separator));
  return Buffer.concat([checksum(payload, list), payload]).toString("base64url");
}

function decodeCursor(cursor: string, list: unknown[]): Position {
  const bytes = Buffer.from(cursor, "base64url");
  const payload = bytes.subarray(checksumBytes);
  const intact =
    bytes.toString("base64url") === cursor && checksum(payload, list).equals(bytes.subarray(0, checksumBytes));
  if (!intact) throw invalidCursor();
  return payload.toString().split(separator);
}

/** Detects mistakes, not forgery: a cursor grants no access, it is only a position in a list. */
function checksum(payload: Buffer, list: unknown[]): Buffer {
  return hash("sha256", Buffer.concat([Buffer.from(JSON.stringify(list)), payload]), "buffer").subarray(
    0,
    checksumBytes,
  );
}

function invalidCursor(): ServiceError {
  return fieldError(
    "cursor",
    "expected the next_cursor of a page of the same list with the same filters; omit it to start from the first page",
  );
}
