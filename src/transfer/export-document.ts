import { raw } from "sql-template-tag";
import type { Database, Queryable } from "../platform/db.js";
import { exportQueries } from "./export-queries.js";
import { type ListName, listNames } from "./lists.js";

const rowsInBatch = 1000;

export type ExportCounts = Record<ListName, number>;

/**
 * Writes the whole database as one document, one row a line, all as of one moment. `write` resolves when it can take
 * more, so that no more than a batch is ever in memory.
 */
export async function exportDocument(
  db: Database,
  write: (text: string) => Promise<void>,
  onRows: (done: number, total: number, label: string) => void = () => {},
): Promise<ExportCounts> {
  return db.transaction(
    async (tx) => {
      // All rows are read to the end: a plan that is quick to start would read a large table in random order.
      await tx.query(raw("set local cursor_tuple_fraction = 1; set local work_mem = '64MB'; set local jit = off"));
      const total = await countAll(tx);
      const counts: [ListName, number][] = [];
      let done = 0;
      await write("{");
      for (const name of listNames) {
        await write(`${counts.length === 0 ? "" : ","}\n  "${name}": [`);
        const count = await writeRows(tx, name, async (text, rows) => {
          await write(text);
          done += rows;
          onRows(done, total, `writing ${name}`);
        });
        await write(count === 0 ? "]" : "\n  ]");
        counts.push([name, count]);
      }
      await write("\n}\n");
      return Object.fromEntries(counts) as ExportCounts;
    },
    { mode: "repeatable read, read only" },
  );
}

async function countAll(tx: Queryable): Promise<number> {
  const counts = listNames.map((name) => `(select count(*) from ${name})`);
  const [row] = await tx.query<{ total: number }>(raw(`select ${counts.join(" + ")} as total`));
  return row?.total ?? 0;
}

async function writeRows(
  tx: Queryable,
  name: ListName,
  write: (text: string, rows: number) => Promise<void>,
): Promise<number> {
  const cursor = `export_${name}`;
  await tx.query(raw(`declare ${cursor} no scroll cursor for ${exportQueries[name]}`));
  let count = 0;
  for (;;) {
    const rows = await tx.query<{ row: string }>(raw(`fetch ${rowsInBatch} from ${cursor}`));
    const text = rows.map(({ row }) => row).join(",\n    ");
    if (rows.length > 0) await write(`${count === 0 ? "" : ","}\n    ${text}`, rows.length);
    count += rows.length;
    if (rows.length < rowsInBatch) break;
  }
  await tx.query(raw(`close ${cursor}`));
  return count;
}
