import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import { checkRow, type ImportProblem } from "./check-row.js";
import { stringifyExactly } from "./exact-numbers.js";
import { readDocument } from "./read-document.js";
import { getTransferList, type TransferList, type TransferListName, transferListNames } from "./transfer-lists.js";

const batchRows = 5000;
const batchCharacters = 2_000_000;

export type StagedDocument = {
  rowCounts: Map<TransferListName, number>;
  problems: ImportProblem[];
  problemCount: number;
  /** The first rows from which characters were removed. */
  cleaned: Pick<ImportProblem, "list" | "n" | "message">[];
  cleanedCount: number;
};

/**
 * Reads the document into one temporary table per list: `n` is the index in the list, `data` the valid fields of the row,
 * `invalid` the names of the others. An invalid row is kept, so that references to it are not reported as well and all
 * its problems are found at once.
 */
export async function stageRows(
  tx: Queryable,
  chunks: AsyncIterable<Uint8Array>,
  options: { source: string; maximumProblems: number },
): Promise<StagedDocument> {
  await tx.query(raw(transferListNames.map(createStagingTable).join(";\n")));
  const staged: StagedDocument = { rowCounts: new Map(), problems: [], problemCount: 0, cleaned: [], cleanedCount: 0 };
  let batch: StagingBatch | undefined;
  // The database stores a batch while the next one is read and checked.
  let stored = Promise.resolve();
  const store = async (full: StagingBatch) => {
    await stored;
    stored = insertBatch(tx, full);
    // Whoever waits for it next gets the error.
    stored.catch(() => undefined);
  };
  for await (const items of readDocument(chunks, { source: options.source, names: transferListNames })) {
    for (const { list: name, n, value } of items) {
      if (batch !== undefined && (batch.list.name !== name || isFull(batch))) {
        await store(batch);
        batch = undefined;
      }
      batch ??= { list: getTransferList(name), first: n, rows: [], characters: 0 };
      const { data, invalid, problems, removed } = checkRow(batch.list, n, value);
      addToBatch(batch, invalid.length === 0 ? { data } : { data, invalid });
      staged.rowCounts.set(name, n + 1);
      staged.problemCount += problems.length;
      if (staged.problems.length < options.maximumProblems) staged.problems.push(...problems);
      if (removed.length > 0) noteCleaned(staged, name, n, removed);
    }
  }
  if (batch !== undefined) await store(batch);
  await stored;
  for (const name of staged.rowCounts.keys()) await tx.query(raw(`analyze staged_${name}`));
  return staged;
}

const maximumCleaned = 100;

function noteCleaned(staged: StagedDocument, list: TransferListName, n: number, removed: string[]): void {
  staged.cleanedCount += 1;
  if (staged.cleaned.length >= maximumCleaned) return;
  staged.cleaned.push({ list, n, message: `removed ${removed.join(", ")}, which no text may have` });
}

function createStagingTable(name: TransferListName): string {
  return `create temporary table staged_${name} (n integer, invalid text[], data jsonb)`;
}

type StagingBatch = { list: TransferList; first: number; rows: string[]; characters: number };

function addToBatch(batch: StagingBatch, row: { data: object; invalid?: string[] }): void {
  const text = stringifyExactly(row);
  batch.rows.push(text);
  batch.characters += text.length;
}

function isFull(batch: StagingBatch): boolean {
  return batch.rows.length >= batchRows || batch.characters >= batchCharacters;
}

async function insertBatch(tx: Queryable, batch: StagingBatch): Promise<void> {
  await tx.query(sql`
    insert into ${raw(`staged_${batch.list.name}`)}
    select (${batch.first}::integer + place - 1)::integer,
      case when item ? 'invalid' then array(select jsonb_array_elements_text(item -> 'invalid')) else '{}' end,
      item -> 'data'
    from jsonb_array_elements(${`[${batch.rows.join(",")}]`}::jsonb) with ordinality as given (item, place)`);
}
