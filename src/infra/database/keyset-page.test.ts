import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Queryable } from "./db.js";
import { readPage } from "./keyset-page.js";

/** A table of `count` rows; the statement's values are the position of the previous row and the limit. */
function tableOf(count: number): Queryable {
  return {
    query: async ({ values: [after, limit] }) => {
      const first = after === null ? 0 : Number(after) + 1;
      const rows = Array.from({ length: count }, (_, n) => ({ item: `"${n}"`, position: [String(n)] }));
      return rows.slice(first, first + Number(limit)) as never[];
    },
  };
}

const readAll = async (count: number, limit: number) => {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const rows = (after: string[] | null, most: number) => sql`${after?.[0] ?? null} ${most}`;
    const page = await readPage(tableOf(count), ["test"], { cursor, limit }, rows);
    pages.push(page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
};

it.each([
  [0, [0]],
  [1, [1]],
  [3, [3]],
  [4, [3, 1]],
  [6, [3, 3]],
])("%i rows are pages of %j: the last one has no cursor, also when it is full", async (count, sizes) => {
  const pages = await readAll(count, 3);
  expect(pages.map(({ length }) => length)).toEqual(sizes);
  expect(pages.flat()).toEqual(Array.from({ length: count }, (_, n) => `"${n}"`));
});
