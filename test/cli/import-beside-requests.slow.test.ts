import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw } from "sql-template-tag";
import { beforeEach, describe, expect, test } from "vitest";
import type { Queryable } from "../../src/infra/database/db.js";
import { removeUnusedImages } from "../../src/modules/images/unused.js";
import { importDocument } from "../../src/transfer/document-import.js";
import { createImportTables } from "../../src/transfer/import-tables.js";
import { countLockWaits } from "../support/lock-waits.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { testOperator } from "../support/operator.js";
import { startService } from "../support/service.js";
import { conferenceRow, eventRow, sampleDocument, sampleIds } from "./sample-document.js";
import { intercept, useTransfer } from "./transfer-harness.js";

const { fresh, transfer } = useTransfer();
beforeEach(() => transfer.clear());

const temporaryTables = () =>
  fresh.db.query(sql`
    select relname from pg_class where relpersistence = 't' and relname ~ '^(staged|planned)_' and relkind = 'r'`);

/** Where a document is read, at most its own connection is in use, and not in a transaction. */
async function* chunksWith(given: object, between: () => Promise<unknown>): AsyncGenerator<Buffer> {
  const text = JSON.stringify(given);
  for (let at = 0; at < text.length; at += 500) {
    await between();
    yield Buffer.from(text.slice(at, at + 500));
  }
}

describe("an import", () => {
  test("lets requests through while it reads its document", async () => {
    const names: string[] = [];
    await importDocument(
      fresh.db,
      testOperator,
      chunksWith(sampleDocument(), async () => {
        const slug = `during-${names.length}`;
        await fresh.db.query(sql`insert into organizations (name, slug) values ('During', ${slug})`);
        names.push(slug);
      }),
      { source: "test", checkOnly: false },
    );
    expect(names.length).toBeGreaterThan(3);
    const exported = (await transfer.export()).organizations.map((row) => row.slug);
    expect(exported).toEqual(["acme", "beta", ...names.sort()]);
  });

  test("leaves no temporary tables, whether it succeeds or not", async () => {
    await transfer.import(sampleDocument());
    await transfer.tryImport({ users: [{ email: "x" }] });
    await transfer.tryImport(sampleDocument(), { checkOnly: true });
    await expect(transfer.tryImport('{"users": [')).rejects.toThrow();
    expect(await temporaryTables()).toEqual([]);
  });

  test("removes the tables of an import that ended a day ago, and leaves those of a running one", async () => {
    await fresh.db.session(async (session) => {
      const create = (tables: ReturnType<typeof createImportTables>) =>
        tables.on(session).query(raw("create temporary table staged_users (n integer)"));
      const running = createImportTables();
      await create(running);
      await create(createImportTables(Date.now() - 25 * 3600 * 1000));
      // On PostgreSQL the tables of other connections are out of reach, and gone when those end.
      const one = { ...fresh.db, session: (work: (s: typeof session) => Promise<never>) => work(session) };
      await importDocument(
        one as typeof fresh.db,
        testOperator,
        chunksWith({}, async () => {}),
        {
          source: "test",
          checkOnly: false,
        },
      );
      expect(await temporaryTables()).toHaveLength(1);
      await running.drop(session);
    });
  });

  test("keeps the images that its rows will show", async () => {
    const logo_url = `/images/${await makerOn(fresh.db).image()}`;
    await fresh.db.query(sql`update images set created_at = now() - interval '20 days'`);
    await transfer.import({ organizations: [{ slug: "acme", name: "Acme", logo_url }] });
    expect(await fresh.db.query(sql`select from images where created_at > now() - interval '1 day'`)).toHaveLength(1);
  });

  test("says how many rows it is about to write", async () => {
    const told: number[] = [];
    const options = { source: "test", onWrite: (rows: number) => told.push(rows) };
    const chunks = () => chunksWith(sampleDocument(), async () => {});
    await importDocument(fresh.db, testOperator, chunks(), { ...options, checkOnly: true });
    expect(told).toEqual([]);
    await importDocument(fresh.db, testOperator, chunks(), { ...options, checkOnly: false });
    expect(told).toEqual([14]);
  });
});

withPostgres("changes that are made while an import runs", () => {
  beforeEach(() => transfer.import(sampleDocument()));

  test("of fields that the document does not contain are kept", async () => {
    await importWhile((tx) => tx.query(sql`update events set venue = 'Hall B' where id = ${sampleIds.opening}`), {
      events: [{ id: sampleIds.opening, capacity: 5 }],
    });
    expect((await transfer.export()).events[0]).toMatchObject({ venue: "Hall B", capacity: 5 });
  });

  test("such as a deletion make it plan again from the rows that it has read", async () => {
    await importWhile((tx) => tx.query(sql`delete from speakers where id = ${sampleIds.zoe}`), {
      speakers: [{ id: sampleIds.zoe, event: "Opening", name: "Zoë", company: "Acme" }],
    });
    expect((await transfer.export()).speakers.at(-1)).toMatchObject({ id: sampleIds.zoe, company: "Acme" });
  });

  test("such as the removal of an image that its rows will show are noticed", async () => {
    const logo_url = `/images/${await makerOn(fresh.db).image()}`;
    await fresh.db.query(sql`update images set created_at = now() - interval '20 days'`);
    const removing = intercept(fresh.db, {
      async query(text, send) {
        if (/^\s*update images/.test(text)) await removeUnusedImages(fresh.db, testOperator);
        return send();
      },
    });
    const chunks = chunksWith({ organizations: [{ slug: "acme", logo_url }] }, async () => {});
    const outcome = await importDocument(removing, testOperator, chunks, { source: "test", checkOnly: false });
    const message = expect.stringMatching(/^no image with this path is stored/);
    expect(outcome).toMatchObject({ ok: false, problems: [{ path: "organizations[0].logo_url", message }] });
  });

  test("such as a new row with the same natural key are found before a second one is added", async () => {
    await importWhile(
      async (tx) => {
        await tx.query(sql`update events set venue = 'Hall B' where id = ${sampleIds.opening}`);
        await tx.query(sql`insert into speakers (event_id, name, title) values (${sampleIds.opening}, 'New', 'Dr')`);
      },
      {
        events: [{ id: sampleIds.opening, capacity: 5 }],
        speakers: [{ event: "Opening", name: "New", company: "Acme" }],
      },
    );
    const speakers = (await transfer.export()).speakers.filter((row) => row.name === "New");
    expect(speakers).toMatchObject([{ title: "Dr", company: "Acme" }]);
  });

  test("again and again end with a lock on the tables, and the import succeeds", async () => {
    // Somebody else deletes the row or adds it again, each time after the import has made its plan.
    let outdated = 0;
    const deleting = intercept(fresh.db, {
      async query(text, send) {
        if (/for no key update of x|insert into speakers/.test(text) && !(await isLocked())) {
          outdated += 1;
          await toggleSpeaker();
        }
        return send();
      },
    });
    const [zoe] = (await transfer.export()).speakers;
    const outcome = await importDocument(
      deleting,
      testOperator,
      chunksWith({ speakers: [{ ...zoe, company: "Acme" }] }, async () => {}),
      { source: "test", checkOnly: false },
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(outdated).toBe(3);
    expect((await transfer.export()).speakers).toContainEqual({ ...zoe, company: "Acme" });

    async function isLocked(): Promise<boolean> {
      const rows = await fresh.db.query(sql`
        select from pg_locks where relation = 'speakers'::regclass and mode = 'ShareRowExclusiveLock' and granted`);
      return rows.length > 0;
    }
    async function toggleSpeaker(): Promise<void> {
      const deleted = await fresh.db.query(sql`delete from speakers where id = ${sampleIds.zoe} returning id`);
      if (deleted.length > 0) return;
      await fresh.db.query(
        sql`insert into speakers (id, event_id, name) values (${sampleIds.zoe}, ${sampleIds.opening}, 'Zoë')`,
      );
    }
  });

  /** Makes a change that is only committed when the import waits for it. */
  async function importWhile(change: (tx: Queryable) => Promise<unknown>, document: object): Promise<void> {
    let importing: Promise<unknown> = Promise.resolve();
    await fresh.db.transaction(async (tx) => {
      await change(tx);
      importing = transfer.import(document);
      importing.catch(() => undefined);
      await expect.poll(() => countLockWaits(fresh.db)).toBe(1);
    });
    await importing;
  }
});

withPostgres("PATCH requests for the posters of an import", () => {
  test("are all kept, the import succeeds every time, and other requests are answered", async () => {
    const make = makerOn(fresh.db);
    const posterCount = 60;
    const posters = Array.from({ length: posterCount }, (_, n) => ({
      event: "New Event",
      image_url: `https://images.example/${n}.png`,
      title: "0",
    }));
    await transfer.import({ conferences: [conferenceRow()], events: [eventRow()], posters });
    const ids = (await transfer.export()).posters.map((row) => row.id as string);
    const key = await make.superAdminKey();
    const service = await startService({ databasePoolSize: 8 }, fresh.connection);
    let running = true;
    const acknowledged = new Map<string, Record<string, string>>();
    const statuses = new Set<number>();
    const patchInTurn = async (worker: number) => {
      for (let n = worker; running; n += 4) {
        const id = ids[n % posterCount] ?? "";
        const links = { [`platform-${worker}`]: `https://x.example/${n}` };
        const reply = await service.call(`/api/svc/posters/${id}`, {
          method: "PATCH",
          key,
          body: { posted_urls: links },
        });
        statuses.add(reply.status);
        acknowledged.set(id, { ...acknowledged.get(id), ...links });
      }
    };
    const readInTurn = async () => {
      while (running) {
        statuses.add((await service.call("/api/svc/conferences", { key })).status);
        await sleep(5);
      }
    };
    try {
      const requests = Promise.all([...[0, 1, 2, 3].map(patchInTurn), readInTurn()]);
      for (const title of ["1", "2", "3"]) {
        const lists = await transfer.import({ posters: posters.map((poster) => ({ ...poster, title })) });
        expect(lists.posters).toEqual({ added: 0, changed: posterCount, unchanged: 0 });
      }
      running = false;
      await requests;
    } finally {
      running = false;
      await service.close();
    }
    expect([...statuses]).toEqual([200]);
    const stored = (await transfer.export()).posters;
    expect(stored.map((row) => row.title)).toEqual(Array(posterCount).fill("3"));
    for (const [id, links] of acknowledged) {
      expect(stored.find((row) => row.id === id)?.posted_urls).toMatchObject(links);
    }
  });
});
