import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import sql, { raw } from "sql-template-tag";
import type { Database } from "./db.js";
import { projectRoot } from "./project-root.js";

const folder = new URL("migrations/", projectRoot);

/** Any fixed number will do, as long as nothing else in the database locks it. */
const lockNumber = 5_730_001;

/**
 * Brings the schema up to date and returns the names of the migrations it applied. All run in one transaction under an
 * advisory lock, so processes that start together wait for the first one and then find nothing to do.
 */
export async function migrate(db: Database): Promise<string[]> {
  const files = await readMigrations();
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${lockNumber})`);
    await tx.query(sql`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const rows = await tx.query<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations`);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseForeignHistory(files, applied);
    const pending = files.filter((file) => !applied.has(file.name));
    for (const file of pending) {
      await tx.query(raw(file.text));
      await tx.query(sql`insert into schema_migrations (name, checksum) values (${file.name}, ${file.checksum})`);
    }
    return pending.map((file) => file.name);
  });
}

type Migration = { name: string; text: string; checksum: string };

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

function refuseForeignHistory(files: Migration[], applied: Map<string, string>): void {
  const known = new Map(files.map((file) => [file.name, file.checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      throw new Error(`the database has migration ${name}, which this version does not know: run a newer version`);
    }
    if (known.get(name) !== checksum) {
      throw new Error(`migration ${name} was changed after it had been applied: restore the file`);
    }
  }
}
