import { expect, it } from "vitest";
import { findMigratedTables } from "./migrated-tables.js";

/** Columns by table; an asterisk marks those that the database computes. */
const read = (...texts: string[]) =>
  Object.fromEntries(
    [...findMigratedTables(texts.map((text) => ({ text })))].map(([table, columns]) => [
      table,
      [...columns].map(([name, { generated }]) => (generated ? `${name}*` : name)).join(" "),
    ]),
  );

it("reads columns of new tables, and not their constraints", () => {
  expect(
    read(`
      CREATE TABLE IF NOT EXISTS a (
        id bigint generated always as identity primary key, -- , comment (
        "Odd ""na,me" numeric(4, 2) default 'it''s, (' check (x in (1, 2)),
        sum int generated always as (id + 1) stored,
        constraint c check (id > 0), primary key (id, sum), unique (id), foreign key (id) references b (id), like b
      ) with (fillfactor = 70);
      create unlogged table "B;" (id int);`),
  ).toEqual({ a: 'id Odd "na,me sum*', "B;": "id" });
});

it("follows later changes", () => {
  const first = "create table a (id int, b int, c int); create table d (id int); create table e (id int);";
  expect(
    read(
      first,
      `alter table a add column f text default ',' not null, add g int generated always as (id * 2) stored,
         add constraint x check (f <> ''), drop constraint if exists y, drop column if exists b, drop c,
         alter column f type varchar(3);
       alter table if exists only d rename column id to key; alter table d rename to h;
       alter table h add column if not exists note text; drop table if exists e, missing cascade;`,
    ),
  ).toEqual({ a: "id f g*", h: "key note" });
});

it("does not read temporary tables, functions, strings and comments", () => {
  expect(
    read(`
      create temporary table a (id int);
      /* create table b (id int); */ -- create table c (id int);
      do $$ begin create table d (id int); end $$;
      create function f() returns void language plpgsql as $body$ begin create table e (id int); end $body$;
      select E'\\'; create table g (id int);', '; create table h (id int);';
      create index i on j (id); comment on table k is 'create table'; create trigger t after insert on a referencing new table as l`),
  ).toEqual({});
});
