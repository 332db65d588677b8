import sql from "sql-template-tag";
import type { Database } from "../../src/platform/db.js";
import { exportDocument } from "../../src/transfer/export-document.js";
import { importDocument } from "../../src/transfer/import-document.js";

export type Transfer = ReturnType<typeof transferOn>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape.
type Rows = any[];
type Stored = Record<"users" | "organizations" | "events" | "speakers" | "registrations" | "segments", Rows>;

/** Imports into and exports from a database that belongs to the test alone. */
export function transferOn(db: Database) {
  const transfer = {
    async empty(): Promise<void> {
      await db.query(sql`truncate users, organizations, conferences cascade`);
    },

    attempt(given: string | Buffer | Buffer[] | object) {
      return importDocument(db, piecesOf(given), { source: "test", checkOnly: false });
    },

    async imported(given: string | object) {
      const outcome = await transfer.attempt(given);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
      return outcome.lists;
    },

    async exported(): Promise<string> {
      const parts: string[] = [];
      await exportDocument(db, async (text) => {
        parts.push(text);
      });
      return parts.join("");
    },

    async stored(): Promise<Stored> {
      return JSON.parse(await transfer.exported());
    },

    /** Changes with every write to these rows, even one that leaves them as they were. */
    versions(): Promise<object[]> {
      return db.query(sql`
        select id, xmin::text from events union all select id, xmin::text from organizations union all
        select id, xmin::text from posters union all select event_id, xmin::text from event_hosts order by 1, 2`);
    },
  };
  return transfer;
}

async function* piecesOf(given: string | Buffer | Buffer[] | object): AsyncGenerator<Buffer> {
  if (Array.isArray(given)) yield* given as Buffer[];
  else if (Buffer.isBuffer(given)) yield given;
  else yield Buffer.from(typeof given === "string" ? given : JSON.stringify(given));
}
