import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { migrate, readMigrations } from "../../src/infra/database/migrate.js";
import { findMigratedTables } from "../../src/infra/database/migrated-tables.js";
import { useFreshDatabase } from "../support/fresh-database.js";

const fresh = useFreshDatabase();

it("the text of every migration says which tables and columns it makes", async () => {
  await fresh.db.query(sql`drop schema public cascade`);
  await fresh.db.query(sql`create schema public`);
  const migrations = await readMigrations();
  for (const [index, { name }] of migrations.entries()) {
    await migrate(fresh.db, { only: new Set([name]), offline: true });
    const catalog = await fresh.db.query<{ table: string; columns: object }>(sql`
      select c.relname as table, json_agg(json_build_array(a.attname, a.attgenerated <> '') order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
      group by 1 order by 1`);
    const read = [...findMigratedTables(migrations.slice(0, index + 1))].map(([table, columns]) => ({
      table,
      columns: [...columns].map(([column, { generated }]) => [column, generated]),
    }));
    expect(
      read.sort((one, other) => (one.table < other.table ? -1 : 1)),
      name,
    ).toEqual(catalog);
  }
  // A backup has the sequences of columns only.
  const others = sql`
    select from pg_class s where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = s.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)`;
  expect(await fresh.db.query(others)).toEqual([]);
});
