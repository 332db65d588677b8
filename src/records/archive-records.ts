import sql from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import type { Database } from "../infra/database/db.js";
import { isUnfinished } from "./history.js";
import { allowRecordChange, recordedChange } from "./recorded-change.js";

export type Archive = { records: number; before: string };

const batchSize = 500;

/**
 * Removes the records older than `days` after `write` has stored them, as lines of JSON with every column, oldest first;
 * `finish` must make them durable and returns what identifies the file in the record of the archiving.
 */
export async function archiveRecords(
  db: Database,
  actor: Actor,
  days: number,
  target: { write(line: string): Promise<void>; finish(): Promise<{ sha256: string }> },
): Promise<Archive> {
  const change = recordedChange(
    db,
    actor,
    async (tx) => {
      const [limit] = await tx.query<{ before: string }>(
        sql`select iso8601(now() - ${days}::int * interval '1 day') as before`,
      );
      const before = limit?.before ?? "";
      // Writes without an outcome stay: somebody has to look at them.
      const isOld = sql`r.at < ${before}::timestamptz and not (${isUnfinished})`;
      let records = 0;
      let after = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
      for (;;) {
        const rows = await tx.query<{ at: string; id: string; line: string }>(sql`
          select r.at::text, r.id, row_to_json(r)::text as line from mutation_records r
          where (r.at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid) and ${isOld}
          order by r.at, r.id limit ${batchSize}`);
        for (const { line } of rows) await target.write(line);
        records += rows.length;
        const last = rows.at(-1);
        if (last === undefined || rows.length < batchSize) break;
        after = { at: last.at, id: last.id };
      }
      const result: Archive = { records, before };
      if (records === 0) return { result, record: null };
      const { sha256 } = await target.finish();
      await allowRecordChange(tx, "archive");
      const removed = await tx.query(sql`delete from mutation_records r where ${isOld} returning 1 as one`);
      // One that committed late, with a time before the limit, must not be lost.
      if (removed.length !== records) throw new Error("records changed while they were archived: try again");
      return { result, record: { tool: "svc:archive-records", request: { days }, result: { ...result, sha256 } } };
    },
    // The file is written once.
    { attempts: 1 },
  );
  return (await change).result;
}
