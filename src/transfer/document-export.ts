import sql, { raw } from "sql-template-tag";
import type { Database, Queryable } from "../infra/database/db.js";
import { exportQuery } from "./export-query.js";
import { type TransferList, type TransferListName, transferListNames, transferLists } from "./transfer-lists.js";

const batchRows = 1000;

export type ExportCounts = Record<TransferListName, number>;

/**
 * Writes all rows of the lists as one document, one row per line, from one snapshot. The next batch is only fetched after
 * `write` has resolved, so that at most one batch is in memory.
 */
export async function exportDocument(
  db: Database,
  write: (text: string) => Promise<void>,
  onRows: (done: number, total: number, label: string) => void = () => {},
): Promise<ExportCounts> {
  return db.transaction(
    async (tx) => {
      // Every cursor is read to its end: a plan optimized for the first rows would read large tables in random order.
      await tx.query(raw("set local cursor_tuple_fraction = 1; set local work_mem = '64MB'; set local jit = off"));
      const total = await countAll(tx);
      const counts: [TransferListName, number][] = [];
      let done = 0;
      await write("{");
      for (const list of transferLists) {
        await write(`${counts.length === 0 ? "" : ","}\n  "${list.name}": [`);
        const count = await writeRows(tx, list, async (text, rows) => {
          await write(text);
          done += rows;
          onRows(done, total, `writing ${list.name}`);
        });
        await write(count === 0 ? "]" : "\n  ]");
        counts.push([list.name, count]);
      }
      await write("\n}\n");
      return Object.fromEntries(counts) as ExportCounts;
    },
    { mode: "repeatable read, read only" },
  );
}

/** What an export does not contain. */
export async function countOmittedRows(db: Queryable): Promise<{ images: number; keys: number; records: number }> {
  const [counts] = await db.query<{ images: number; keys: number; records: number }>(sql`
    select (select count(*) from images) as images, (select count(*) from api_keys) as keys,
      (select count(*) from mutation_records) as records`);
  return counts ?? { images: 0, keys: 0, records: 0 };
}

async function countAll(tx: Queryable): Promise<number> {
  const counts = transferListNames.map((name) => `(select count(*) from ${name})`);
  const [row] = await tx.query<{ total: number }>(raw(`select ${counts.join(" + ")} as total`));
  return row?.total ?? 0;
}

async function writeRows(
  tx: Queryable,
  list: TransferList,
  write: (text: string, rows: number) => Promise<void>,
): Promise<number> {
  const cursor = `export_${list.name}`;
  await tx.query(raw(`declare ${cursor} no scroll cursor for ${exportQuery(list)}`));
  let count = 0;
  for (;;) {
    const rows = await tx.query<{ row: string }>(raw(`fetch ${batchRows} from ${cursor}`));
    const text = rows.map(({ row }) => row).join(",\n    ");
    if (rows.length > 0) await write(`${count === 0 ? "" : ","}\n    ${text}`, rows.length);
    count += rows.length;
    if (rows.length < batchRows) break;
  }
  await tx.query(raw(`close ${cursor}`));
  return count;
}
