import sql, { raw } from "sql-template-tag";
import { beforeEach, describe, expect, test } from "vitest";
import { type Queryable, sqlState } from "../../src/infra/database/db.js";
import { importDocument, importInto } from "../../src/transfer/document-import.js";
import { stageRows } from "../../src/transfer/stage-rows.js";
import { countLockWaits } from "../support/lock-waits.js";
import { withPostgres } from "../support/needs.js";
import { testOperator } from "../support/operator.js";
import { conferenceRow, eventRow, sampleDocument, sampleIds } from "./sample-document.js";
import { intercept, useTransfer } from "./transfer-harness.js";

/** Columns that repeat those of another row: an import fills them in for all rows at once. */

const { fresh, transfer } = useTransfer();
beforeEach(() => transfer.clear());

async function* chunksOf(given: object): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(given));
}

const hostedPosters = () =>
  fresh.db.query(sql`
    select o.slug, p.image_url from hosted_posters h join organizations o on o.id = h.organization_id
    join posters p on p.id = h.poster_id order by 1, 2`);

/** The rows of a table without the row that a foreign key says they refer to, for all foreign keys. */
async function danglingReferences(): Promise<string[]> {
  const keys = await fresh.db.query<{ name: string; statement: string }>(sql`
    select conname as name, format('select from %s x where not exists (select from %s y where %s) and %s', conrelid::regclass,
      confrelid::regclass,
      (select string_agg(format('x.%I = y.%I', a.attname, b.attname), ' and ')
       from unnest(conkey, confkey) k (own, other)
       join pg_attribute a on a.attrelid = conrelid and a.attnum = own
       join pg_attribute b on b.attrelid = confrelid and b.attnum = other),
      (select string_agg(format('x.%I is not null', a.attname), ' and ')
       from unnest(conkey) own join pg_attribute a on a.attrelid = conrelid and a.attnum = own)) as statement
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  expect(keys.length).toBeGreaterThan(10);
  const dangling = [];
  for (const { name, statement } of keys) if ((await fresh.db.query(raw(statement))).length > 0) dangling.push(name);
  return dangling;
}

const indexDefinitions = () =>
  fresh.db.query(sql`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`);
const indexId = async () => (await fresh.db.query(sql`select 'posters_all'::regclass::oid as id`))[0];

const disabledTriggers = () => fresh.db.query(sql`select tgname from pg_trigger where tgenabled <> 'O'`);

describe("an import", () => {
  test("calls no trigger per row to fill in copies", async () => {
    await fresh.db.transaction(async (tx) => {
      await tx.query(raw("set local track_functions = 'pl'"));
      const options = { source: "test", checkOnly: false };
      expect(await importInto(tx, chunksOf(sampleDocument()), options)).toMatchObject({ ok: true });
      const calls = await tx.query<{ funcname: string }>(sql`select funcname from pg_stat_xact_user_functions`);
      const names = calls.map(({ funcname }) => funcname);
      expect(names).toContain("add_hosted_posters_of_new_posters");
      expect(names.filter((name) => name.startsWith("fill_"))).toEqual([]);
    });
    expect(await danglingReferences()).toEqual([]);
  });

  test("gives a new row of an event an id that begins like the event's, so that rows are written near each other", async () => {
    await transfer.import(sampleDocument());
    const rows = await fresh.db.query<{ id: string; event_id: string }>(sql`select id, event_id from posters`);
    expect(rows.length).toBeGreaterThan(1);
    for (const { id, event_id } of rows) {
      expect(id.slice(0, 8)).toBe(event_id.slice(0, 8));
      expect(id.slice(8)).not.toBe(event_id.slice(8));
    }
  });

  test("stores a batch of rows while it reads the next one, and fails when a batch cannot be stored", async () => {
    const count = 12_000;
    const given = {
      users: Array.from({ length: count }, (_, n) => ({ email: `person${n}@example.com`, name: `Person ${n}` })),
    };
    const chunks = async function* () {
      const bytes = Buffer.from(JSON.stringify(given));
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    };
    let [stored, read, failing] = [0, 0, false];
    const readAtStore: number[] = [];
    const counted = async function* () {
      for await (const chunk of chunks()) {
        read += 1;
        yield chunk;
      }
    };
    const on = (tx: Queryable): Queryable => ({
      async query(statement, name) {
        if (!statement.sql.includes("insert into staged_")) return tx.query(statement, name);
        if (failing) throw new Error("failed on purpose");
        const before = read;
        // The next batch needs many turns of the event loop, because it is read in many chunks.
        while (read === before && stored === 0) await new Promise(setImmediate);
        readAtStore.push(read - before);
        stored += 1;
        return tx.query(statement, name);
      },
    });
    const options = { source: "test", maximumProblems: 10 };
    await fresh.db.transaction(async (tx) => {
      const staged = await stageRows(on(tx), counted(), options);
      expect(staged.rowCounts.get("users")).toBe(count);
      const [total] = await tx.query<{ count: number }>(sql`select count(*)::int as count from staged_users`);
      expect(total?.count).toBe(count);
      expect(readAtStore[0]).toBeGreaterThan(0);
      failing = true;
      await tx.query(
        raw("drop table staged_users, staged_organizations, staged_conferences, staged_events, staged_posters"),
      );
      await tx.query(raw("drop table staged_speakers, staged_registrations, staged_segments"));
      await expect(stageRows(on(tx), counted(), options)).rejects.toThrow("failed on purpose");
    });
  });

  test.each([false, true])(
    "leaves every reference valid, every trigger enabled and every index in place (exclusive: %s)",
    async (exclusive) => {
      const [indexes, firstIndex] = [await indexDefinitions(), await indexId()];
      const options = { source: "test", checkOnly: false, exclusive };
      const run = (given: object) => importDocument(fresh.db, testOperator, chunksOf(given), options);
      expect(await run(sampleDocument())).toMatchObject({ ok: true });
      // Built anew, because all rows are new, and not again for one changed row of many.
      const builtIndex = await indexId();
      if (exclusive) expect(builtIndex).not.toEqual(firstIndex);
      else expect(builtIndex).toEqual(firstIndex);
      expect(await indexDefinitions()).toEqual(indexes);
      const imported = await hostedPosters();
      expect(imported.length).toBeGreaterThan(1);
      const [poster] = (await transfer.export()).posters;
      expect(await run({ posters: [{ ...poster, sort_order: 99, published: !poster.published }] })).toMatchObject({
        lists: { posters: { changed: 1 } },
      });
      expect(await fresh.db.query(sql`select from hosted_posters where sort_order = 99`)).not.toEqual([]);
      expect(await hostedPosters()).toEqual(imported);
      // With the checks of foreign keys still switched off.
      const failing = intercept(fresh.db, {
        async query(text, send) {
          const rows = await send();
          if (/^\s*update posters/.test(text)) throw new Error("failed on purpose");
          return rows;
        },
      });
      await expect(
        importDocument(failing, testOperator, chunksOf({ posters: [{ ...poster, sort_order: 7 }] }), options),
      ).rejects.toThrow("failed on purpose");
      expect(await disabledTriggers()).toEqual([]);
      expect(await danglingReferences()).toEqual([]);
      expect(await hostedPosters()).toEqual(imported);
      expect(await indexDefinitions()).toEqual(indexes);
      expect(await indexId()).toEqual(builtIndex);
    },
  );

  const deletions = [
    {
      deleted: "event",
      statement: sql`delete from events where id = ${sampleIds.opening}`,
      given: {
        registrations: [{ event: sampleIds.opening, name: "Ann", email: "ann@example.com", status: "approved" }],
      },
      path: "registrations[0].event",
    },
    {
      deleted: "conference",
      statement: sql`delete from conferences where slug = 'open-web'`,
      given: { events: [eventRow()] },
      path: "events[0].conference",
    },
    {
      deleted: "organization",
      statement: sql`delete from organizations where slug = 'gamma'`,
      given: { events: [eventRow({ hosts: [{ organization: "gamma", role: "host" }] })] },
      path: "events[0].hosts[0].organization",
    },
    {
      deleted: "user",
      statement: sql`delete from users where lower(email) = 'ann@example.com'`,
      given: {
        organizations: [{ name: "Delta", slug: "delta", members: [{ email: "ann@example.com", role: "owner" }] }],
      },
      path: "organizations[0].members[0].email",
    },
    {
      deleted: "speaker",
      statement: sql`delete from speakers where id = ${sampleIds.zoe}`,
      given: {
        segments: [
          {
            event: "Opening",
            title: "Closing",
            start_time: "2031-05-01T20:00:00Z",
            duration_minutes: 10,
            speakers: [sampleIds.zoe],
          },
        ],
      },
      path: "segments[0].speakers[0]",
    },
  ];

  test.each(deletions.flatMap((deletion) => [false, true].map((exclusive) => ({ ...deletion, exclusive }))))(
    "of a row whose $deleted is deleted meanwhile reports it (exclusive: $exclusive)",
    async ({ statement, given, path, exclusive }) => {
      await transfer.import(sampleDocument());
      await fresh.db.query(sql`insert into organizations (name, slug) values ('Gamma', 'gamma')`);
      let isPlanned = false;
      const deleting = intercept(fresh.db, {
        async beforeTransaction(session) {
          if (isPlanned) await session.query(statement);
        },
        query(text, send) {
          isPlanned ||= text.includes("where not known");
          return send();
        },
      });
      const outcome = await importDocument(deleting, testOperator, chunksOf(given), {
        source: "test",
        checkOnly: false,
        exclusive,
      });
      expect(outcome).toMatchObject({ ok: false, problems: [{ path }] });
      expect(await danglingReferences()).toEqual([]);
      expect(await disabledTriggers()).toEqual([]);
    },
  );
});

describe("the database", () => {
  beforeEach(() => transfer.import(sampleDocument()));

  test.each([
    [
      "a poster",
      sql`insert into posters (event_id, conference_id, listed, image_url)
      select id, conference_id, not listed, 'https://images.example/x.png' from events`,
    ],
    [
      "an event",
      sql`insert into events (conference_id, conference_listed, name, start_time, end_time, timezone, status, category)
      select id, not listed, 'X', now(), now() + interval '1 hour', 'UTC', 'draft', 'vip' from conferences`,
    ],
    [
      "a host",
      sql`insert into event_hosts (event_id, organization_id, role, conference_id, category, start_time, listed)
      select e.id, o.id, 'co_host', e.conference_id, e.category, e.start_time, not e.listed
      from events e, organizations o where e.name = 'Second'`,
    ],
  ])("rejects %s with a copy that differs from its original", async (_, statement) => {
    const error = await fresh.db.query(statement).catch((thrown: unknown) => thrown);
    expect(sqlState(error)).toBe("23503");
  });

  test("fills in the copies of whoever supplies only some of them, and of a row that moves", async () => {
    await fresh.db.query(sql`
      insert into posters (event_id, listed, image_url)
      select id, not listed, 'https://images.example/x.png' from events where name = 'Second'`);
    await fresh.db.query(sql`
      update posters set event_id = (select id from events where name = 'Opening') where image_url like '%/x.png'`);
    expect(await fresh.db.query(sql`select listed from posters where image_url like '%/x.png'`)).toEqual([
      { listed: true },
    ]);
  });
});

withPostgres("an import of many rows", () => {
  // As few as an import of them takes empty tables for.
  const count = 5_000;
  const many = () => ({
    organizations: [{ name: "Acme", slug: "acme" }],
    conferences: [conferenceRow()],
    events: Array.from({ length: count }, (_, n) =>
      eventRow({ name: `Event ${n}`, hosts: [{ organization: "acme", role: "host" }] }),
    ),
    posters: Array.from({ length: count }, (_, n) => ({
      event: `Event ${n}`,
      image_url: `https://images.example/${n}.png`,
      posted_urls: { x: `https://x.example/${n}` },
    })),
  });
  const indexIds = () =>
    fresh.db.query(sql`
      select relname, oid from pg_class where relname in
      ('events_in_order', 'event_hosts_organization', 'posters_all', 'hosted_posters_all', 'conferences_slug_key')
      order by relname`);
  const uncheckedKeys = (tx: Queryable) =>
    tx.query<{ name: string }>(sql`
      select distinct conrelid::regclass || ' to ' || confrelid::regclass as name
      from pg_trigger t join pg_constraint c on c.oid = t.tgconstraint where t.tgenabled = 'D' order by 1`);
  const readWhileLocked = (table: string) =>
    fresh.db
      .transaction(async (tx) => {
        await tx.query(raw("set local lock_timeout = '100ms'"));
        await tx.query(raw(`select from ${table} limit 1`));
        return "read";
      })
      .catch(sqlState);

  /** Imports, and calls `observe` within the transaction, before posters are written. */
  const importObserved = (given: object, observe: (tx: Queryable) => Promise<void>) => {
    const observed = intercept(fresh.db, {
      async query(text, send, tx) {
        if (text.includes("insert into posters")) await observe(tx);
        return send();
      },
    });
    const onWrite = (...announced: [rows: number, locksEvents: boolean]) => {
      announcements.push(announced);
    };
    return importDocument(observed, testOperator, chunksOf(given), { source: "test", checkOnly: false, onWrite });
  };
  let announcements: [rows: number, locksEvents: boolean][] = [];
  beforeEach(() => {
    announcements = [];
  });

  test("into empty tables has them to itself, builds their indexes anew and leaves everything in place", async () => {
    const [definitions, before] = [await indexDefinitions(), await indexIds()];
    const seen: unknown[] = [];
    const outcome = await importObserved(many(), async (tx) => {
      seen.push((await uncheckedKeys(tx)).map(({ name }) => name));
      seen.push(await readWhileLocked("hosted_posters"), await readWhileLocked("organizations"));
      seen.push(await readWhileLocked("conferences"), await readWhileLocked("registrations"));
    });
    expect(outcome).toMatchObject({ ok: true, lists: { posters: { added: count } } });
    expect(seen).toEqual([
      [
        "event_hosts to events",
        "event_hosts to organizations",
        "events to conferences",
        "hosted_posters to event_hosts",
        "hosted_posters to posters",
        "poster_links to posters",
        "posters to events",
      ],
      "55P03",
      ...["read", "read", "read"],
    ]);
    const after = await indexIds();
    expect(after.map((row, index) => JSON.stringify(row) === JSON.stringify(before[index]))).toEqual([
      true,
      ...[false, false, false, false],
    ]);
    expect(await indexDefinitions()).toEqual(definitions);
    expect(await disabledTriggers()).toEqual([]);
    expect(await danglingReferences()).toEqual([]);
    expect(await hostedPosters()).toHaveLength(count);
    expect(announcements).toEqual([[2 * count + 2, true]]);
  });

  test("into tables that have rows lets others read them", async () => {
    await transfer.import(sampleDocument());
    const before = await indexIds();
    const seen: unknown[] = [];
    const outcome = await importObserved(many(), async (tx) => {
      seen.push(await uncheckedKeys(tx), await readWhileLocked("hosted_posters"));
    });
    expect(outcome).toMatchObject({ ok: true, lists: { posters: { added: count } } });
    expect(seen).toEqual([[], "read"]);
    expect(announcements).toEqual([[2 * count, false]]);
    expect(await indexIds()).toEqual(before);
    expect(await danglingReferences()).toEqual([]);
  });
});

withPostgres("a host that is added while posters are imported", () => {
  beforeEach(() => transfer.import(sampleDocument()));

  test("lists the imported posters", async () => {
    const [{ id: gamma }] = (await fresh.db.query(
      sql`insert into organizations (name, slug) values ('Gamma', 'gamma') returning id`,
    )) as [{ id: string }];
    let importing: Promise<unknown> = Promise.resolve();
    await fresh.db.transaction(async (tx) => {
      await tx.query(sql`
        insert into event_hosts (event_id, organization_id, role) values (${sampleIds.opening}, ${gamma}, 'co_host')`);
      importing = transfer.import({ posters: [{ event: "Opening", image_url: "https://images.example/new.png" }] });
      importing.catch(() => undefined);
      await expect.poll(() => countLockWaits(fresh.db)).toBeGreaterThan(0);
    });
    await importing;
    expect(await hostedPosters()).toContainEqual({ slug: "gamma", image_url: "https://images.example/new.png" });
  });
});
