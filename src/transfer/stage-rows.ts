import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { checkRow, type Problem } from "./check-row.js";
import { type List, type ListName, lists } from "./lists.js";
import { readLists } from "./read-lists.js";

const rowsInBatch = 5000;
const charactersInBatch = 2_000_000;

export type Staged = { rows: Map<ListName, number>; problems: Problem[]; problemCount: number };

export type Batch = { list: List; first: number; rows: string[]; broken: number[]; characters: number };

/**
 * Reads the document into one temporary table for each list: `n` is the place in the list, `data` the row. A row that
 * the schema refuses is kept as `broken`, so that rows which refer to it are not reported for its sake.
 */
export async function stageRows(
  tx: Queryable,
  chunks: AsyncIterable<Uint8Array>,
  options: { source: string; maximumProblems: number },
): Promise<Staged> {
  await tx.query(raw(lists.map(createStagingTable).join(";\n")));
  const staged: Staged = { rows: new Map(), problems: [], problemCount: 0 };
  const byName = new Map(lists.map((list) => [list.name, list]));
  let batch: Batch | undefined;
  for await (const items of readLists(chunks, { source: options.source, names: [...byName.keys()] })) {
    for (const { list: name, n, value } of items) {
      const list = byName.get(name);
      if (list === undefined) continue;
      if (batch !== undefined && (batch.list !== list || isFull(batch))) {
        await insertBatch(tx, batch);
        batch = undefined;
      }
      batch ??= { list, first: n, rows: [], broken: [], characters: 0 };
      const { data, problems } = checkRow(list, n, value);
      addTo(batch, n, data, problems.length > 0);
      staged.rows.set(name, n + 1);
      staged.problemCount += problems.length;
      if (staged.problems.length < options.maximumProblems) staged.problems.push(...problems);
    }
  }
  if (batch !== undefined) await insertBatch(tx, batch);
  for (const name of staged.rows.keys()) await tx.query(raw(`analyze staged_${name}`));
  return staged;
}

function createStagingTable(list: List): string {
  return `create temporary table staged_${list.name} (n integer, broken boolean, data jsonb) on commit drop`;
}

function addTo(batch: Batch, n: number, data: Record<string, unknown>, broken: boolean): void {
  const text = JSON.stringify(data);
  batch.rows.push(text);
  batch.characters += text.length;
  if (broken) batch.broken.push(n);
}

function isFull(batch: Batch): boolean {
  return batch.rows.length >= rowsInBatch || batch.characters >= charactersInBatch;
}

async function insertBatch(tx: Queryable, batch: Batch): Promise<void> {
  await tx.query(sql`
    insert into ${raw(`staged_${batch.list.name}`)}
    select item.n, item.n = any(${batch.broken}::integer[]), item.data
    from (
      select (${batch.first}::integer + place - 1)::integer as n, data
      from jsonb_array_elements(${`[${batch.rows.join(",")}]`}::jsonb) with ordinality as given (data, place)
    ) item`);
}
