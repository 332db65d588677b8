import sql, { type Sql } from "sql-template-tag";
import { beforeAll } from "vitest";
import type { Database, Queryable, Session } from "../../src/infra/database/db.js";
import { exportDocument } from "../../src/transfer/document-export.js";
import { importDocument } from "../../src/transfer/document-import.js";
import { type FreshDatabase, useFreshDatabase } from "../support/fresh-database.js";
import { testOperator } from "../support/operator.js";

export type TransferHarness = ReturnType<typeof createTransferHarness>;

/** Opens an empty database before the tests; see ../support/setup.ts. */
export function useTransfer(): { fresh: FreshDatabase; transfer: TransferHarness } {
  const fresh = useFreshDatabase();
  const db = {} as Database;
  beforeAll(() => {
    Object.assign(db, fresh.db);
  });
  return { fresh, transfer: createTransferHarness(db) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect rows of every shape.
type ExportedRows = any[];
type ExportedDocument = Record<
  "users" | "organizations" | "conferences" | "events" | "posters" | "speakers" | "registrations" | "segments",
  ExportedRows
>;

type GivenDocument = string | Buffer | Buffer[] | object;

/** Imports into and exports from a database that no other test uses. */
export function createTransferHarness(db: Database) {
  const harness = {
    /** DELETE is faster than TRUNCATE on small tables. Keeps one image, to which the sample document refers. */
    async clear(): Promise<void> {
      await db.query(sql`
        insert into images (hash, content_type, bytes) values (${"a".repeat(64)}, 'image/png', 'x') on conflict do nothing`);
      await db.query(sql`delete from conferences`);
      await db.query(sql`delete from organizations`);
      await db.query(sql`delete from users`);
    },

    tryImport(given: GivenDocument, options: { checkOnly?: boolean } = {}) {
      return importDocument(db, testOperator, chunksOf(given), {
        source: "test",
        checkOnly: options.checkOnly ?? false,
      });
    },

    /** Returns the counts by list; throws if the document has problems. */
    async import(given: GivenDocument) {
      const outcome = await harness.tryImport(given);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
      return outcome.lists;
    },

    async exportText(onWrite: () => Promise<void> = async () => {}): Promise<string> {
      const parts: string[] = [];
      await exportDocument(db, async (text) => {
        parts.push(text);
        await onWrite();
      });
      return parts.join("");
    },

    async export(): Promise<ExportedDocument> {
      return JSON.parse(await harness.exportText());
    },

    /** Row versions, which every write changes, even one that stores the same values. */
    rowVersions(): Promise<object[]> {
      return db.query(sql`
        select id, xmin::text from events union all select id, xmin::text from organizations union all
        select id, xmin::text from posters union all select event_id, xmin::text from event_hosts order by 1, 2`);
    },
  };
  return harness;
}

export type Interception = {
  beforeTransaction?: (session: Session) => Promise<void>;
  /** Called with the text of each statement of a transaction, and what sends it. */
  query: (text: string, send: () => Promise<object[]>, tx: Queryable) => Promise<object[]>;
};

/** The database, with what the transactions of its sessions send passed to the test. */
export function intercept(db: Database, { beforeTransaction, query }: Interception): Database {
  return {
    ...db,
    session: (work) =>
      db.session((session) =>
        work({
          query: session.query,
          async transaction(inner, options) {
            await beforeTransaction?.(session);
            return session.transaction((tx) => {
              const send = <Row extends object>(statement: Sql, name?: string) =>
                query(statement.text, () => tx.query(statement, name), tx) as Promise<Row[]>;
              return inner({ ...tx, query: send });
            }, options);
          },
        }),
      ),
  };
}

async function* chunksOf(given: GivenDocument): AsyncGenerator<Buffer> {
  if (Array.isArray(given)) yield* given as Buffer[];
  else if (Buffer.isBuffer(given)) yield given;
  else yield Buffer.from(typeof given === "string" ? given : JSON.stringify(given));
}
