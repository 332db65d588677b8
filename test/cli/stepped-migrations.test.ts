import sql, { raw } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { migrate, migrationNames } from "../../src/infra/database/migrate.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";

/** Migrations that run outside a transaction: they fill tables and build indexes while requests go on. */

const fill = "0013_filled_dashboard.sql";
const platformNames = "0026_platform_names.sql";
const index = "0015_events_of_every_status.sql";

const fresh = useFreshDatabase();

const forget = (name: string) => fresh.db.query(sql`delete from schema_migrations where name = ${name}`);

describe("links whose platforms differ only in their spelling", () => {
  const merge = async (links: [platform: string, url: string, reported: string][]) => {
    const make = makerOn(fresh.db);
    const poster = await make.poster(await make.event(await make.conference()));
    const urls = JSON.stringify(Object.fromEntries(links));
    await fresh.db.query(sql`update posters set posted_urls = ${urls} where id = ${poster}`);
    for (const [platform, , reported] of links) {
      await fresh.db.query(sql`
        update poster_links set reported_at = ${reported}::timestamptz where poster_id = ${poster} and platform = ${platform}`);
    }
    await forget(platformNames);
    expect(await migrate(fresh.db)).toEqual([platformNames]);
    const [row] = await fresh.db.query<{ urls: object | null; times: object | null }>(sql`
      select posted_urls as urls, (
        select json_object_agg(platform, iso8601(reported_at)) from poster_links where poster_id = p.id) as times
      from posters p where id = ${poster}`);
    return row;
  };
  const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;

  it("are merged: the newest keeps the name, the same link is kept once, another gets a number", async () => {
    const merged = await merge([
      ["Instagram", "https://i.example/1", day(1)],
      ["instagram", "https://i.example/2", day(3)],
      ["INSTAGRAM ", "https://i.example/2", day(2)],
      ["instagram 2", "https://i.example/3", day(2)],
      [" x ", "https://x.example/1", day(4)],
      ["linkedin", "https://l.example/1", day(5)],
    ]);
    expect(merged?.urls).toEqual({
      instagram: "https://i.example/2",
      "instagram 2": "https://i.example/3",
      "Instagram 3": "https://i.example/1",
      x: "https://x.example/1",
      linkedin: "https://l.example/1",
    });
    expect(merged?.times).toEqual({
      instagram: day(3),
      "instagram 2": day(2),
      "Instagram 3": day(1),
      x: day(4),
      linkedin: day(5),
    });
  });

  it("are none where there were none", async () => {
    expect(await merge([])).toEqual({ urls: null, times: null });
  });

  it("stay as they are where names differ otherwise", async () => {
    const merged = await merge([
      ["X", "https://x.example/1", day(1)],
      ["y", "https://x.example/1", day(2)],
    ]);
    expect(merged).toEqual({
      urls: { X: "https://x.example/1", y: "https://x.example/1" },
      times: { X: day(1), y: day(2) },
    });
  });
});

describe("the links of posters from before", () => {
  const posters = 2_500;
  let event: string;
  let conference: string;

  beforeAll(async () => {
    const make = makerOn(fresh.db);
    conference = await make.conference();
    event = await make.event(conference);
    await fresh.db.query(raw("alter table posters disable trigger add_poster_links"));
    await fresh.db.query(sql`
      insert into posters (event_id, image_url, posted_urls, created_at)
      select ${event}, '/images/' || i, case when i % 2 = 0 then jsonb_build_object('x', 'https://x.com/' || i, 'y', '') end,
        '2026-01-01Z'
      from generate_series(1, ${posters}::int) i`);
    await fresh.db.query(raw("alter table posters enable trigger add_poster_links"));
    await fresh.db.query(sql`
      insert into mutation_records (tool, via, event_id, at, request, request_hash)
      select 'patch_poster', 'key', event_id, day, jsonb_build_object('poster_id', id), 'x'
      from posters, unnest(array['2026-02-01Z', '2026-03-01Z']::timestamptz[]) day where image_url = '/images/2'`);
  });

  it("get their rows in batches, with the time of the last report", async () => {
    await forget(fill);
    expect(await migrate(fresh.db)).toEqual([fill]);
    const [counts] = await fresh.db.query(sql`
      select count(*)::int as links, count(*) filter (where reported_at = '2026-01-01Z')::int as old,
        count(*) filter (where reported_at = '2026-03-01Z')::int as reported
      from poster_links where event_id = ${event}`);
    expect(counts).toEqual({ links: posters, old: posters - 2, reported: 2 });
  });

  it("stay as they are when it is repeated, also those that were reported meanwhile", async () => {
    await fresh.db.query(sql`
      update posters set posted_urls = '{"x": "https://x.com/new", "y": ""}' where image_url = '/images/4'`);
    const links = sql`select poster_id, platform, url, reported_at from poster_links order by 1, 2`;
    const before = await fresh.db.query(links);
    await forget(fill);
    expect(await migrate(fresh.db)).toEqual([fill]);
    expect(await fresh.db.query(links)).toEqual(before);
  });

  it("keep their time when the poster is patched before it is filled", async () => {
    await fresh.db.query(sql`delete from poster_links where event_id = ${event}`);
    await fresh.db.query(sql`
      update posters set posted_urls = posted_urls || '{"z": "https://z.com/1"}' where image_url = '/images/6'`);
    const [row] = await fresh.db.query(sql`
      select array_agg(platform order by platform) filter (where l.reported_at = '2026-01-01Z') as old,
        array_agg(platform) filter (where l.reported_at > now() - interval '1 hour') as new
      from poster_links l join posters p on p.id = l.poster_id where p.image_url = '/images/6'`);
    expect(row).toEqual({ old: ["x", "y"], new: ["z"] });
  });
});

it("an index that was left unfinished is built again", async () => {
  await forget(index);
  await fresh.db.query(raw("update pg_index set indisvalid = false where indexrelid = 'events_in_order'::regclass"));
  expect(await migrate(fresh.db)).toEqual([index]);
  expect(
    await fresh.db.query(sql`select indisvalid from pg_index where indexrelid = 'events_in_order'::regclass`),
  ).toEqual([{ indisvalid: true }]);
});

withPostgres("beside requests", () => {
  it("an index is built without blocking changes, and other processes wait for it", async () => {
    await fresh.db.query(raw("drop index events_in_order"));
    await forget(index);
    let migrating: Promise<string[]>[] = [];
    await fresh.db.transaction(async (tx) => {
      await tx.query(sql`update events set venue = 'Hall 1'`);
      migrating = [migrate(fresh.db), migrate(fresh.db)];
      for (const each of migrating) each.catch(() => undefined);
      await expect.poll(countBuilds).toBe(1);
      await makerOn(fresh.db).event(await makerOn(fresh.db).conference());
      expect(await countBuilds()).toBe(1);
    });
    expect((await Promise.all(migrating)).flat()).toEqual([index]);
    expect(await fresh.db.query(sql`select from schema_migrations`)).toHaveLength((await migrationNames()).length);
  });

  const countBuilds = async () =>
    (
      await fresh.db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%create index concurrently%'`)
    ).length;
});
