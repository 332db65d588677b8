import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import sql, { raw } from "sql-template-tag";
import type { Database } from "./db.js";
import { projectRoot } from "./project-root.js";

const migrationsDir = new URL("migrations/", projectRoot);

/** An arbitrary number that nothing else in the database locks. */
const advisoryLockKey = 5_730_001;

/**
 * Applies pending migrations and returns their names. All run in one transaction under an advisory lock, so concurrent
 * processes wait for the first one and then find nothing to apply.
 */
export async function migrate(db: Database): Promise<string[]> {
  const files = await readMigrations();
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLockKey})`);
    await tx.query(sql`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const rows = await tx.query<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations`);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    checkAppliedMigrations(files, applied);
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
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, migrationsDir), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

function checkAppliedMigrations(files: Migration[], applied: Map<string, string>): void {
  const known = new Map(files.map((file) => [file.name, file.checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      throw new Error(`the database has migration ${name}, which is unknown to this version: run a newer version`);
    }
    if (known.get(name) !== checksum) {
      throw new Error(`migration ${name} was edited after it was applied: restore the file`);
    }
  }
}
