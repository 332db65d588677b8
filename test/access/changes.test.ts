import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { maximumChangesRead, type PastRead, pruneChanges } from "../../src/access/changes.js";
import { createKeyLookups } from "../../src/access/check-request.js";
import type { Queryable } from "../../src/infra/database/db.js";
import { type ReadPoint, readPointColumns } from "../../src/infra/database/read-point.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { isWaitedFor } from "../support/lock-waits.js";
import { type Make, makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { until } from "../support/until.js";

const fresh = useFreshDatabase();
let make: Make;
beforeAll(async () => {
  make = makerOn(fresh.db);
});

async function readPoint(db: Queryable = fresh.db): Promise<ReadPoint> {
  const [row] = await db.query<ReadPoint>(sql`select ${readPointColumns}`);
  if (row === undefined) throw new Error("no read point");
  return row;
}

const held = async (list: PastRead["list"], scope: string): Promise<PastRead> => ({
  list,
  scope,
  readAt: await readPoint(),
});

const isUnchanged = async (one: PastRead) => (await createKeyLookups(fresh.db).findUnchanged(one)) !== undefined;

const change = (db: Queryable, scope: string) =>
  db.query(sql`insert into changes (list, scope) values ('events', ${scope})`);

describe("what is held", () => {
  it("is unchanged until a change of its list and scope is committed", async () => {
    const [scope, other] = [randomUUID(), randomUUID()];
    const one = await held("events", scope);
    await change(fresh.db, other);
    await fresh.db.query(sql`insert into changes (list, scope) values ('posters', ${scope})`);
    expect(await isUnchanged(one)).toBe(true);
    await change(fresh.db, scope);
    expect(await isUnchanged(one)).toBe(false);
    expect(await isUnchanged(await held("events", scope))).toBe(true);
  });

  it("is not compared with the numbers of another server", async () => {
    const one = await held("events", randomUUID());
    expect(await isUnchanged({ ...one, readAt: { ...one.readAt, server: "1" } })).toBe(false);
  });

  it("is outdated once changes were deleted that it would have to be compared with", async () => {
    const scope = randomUUID();
    const one = await held("events", scope);
    await change(fresh.db, scope);
    // Transactions of other databases on the server count, too.
    await until(async () => {
      await pruneChanges(fresh.db, 0);
      return (await fresh.db.query(sql`select from changes where scope = ${scope}`)).length === 0;
    });
    expect(await isUnchanged(one)).toBe(false);
    await until(async () => isUnchanged(await held("events", scope)));
  });

  it("is outdated when a table was truncated", async () => {
    const one = await held("events", randomUUID());
    await fresh.db.query(raw("truncate posters cascade"));
    expect(await isUnchanged(one)).toBe(false);
    await pruneChanges(fresh.db, 0);
    expect(await isUnchanged(one)).toBe(false);
  });
});

describe("pruning", () => {
  it("is done by one of many processes in each interval", async () => {
    await pruneChanges(fresh.db, 0);
    const before = await horizon();
    await Promise.all([pruneChanges(fresh.db, 60_000), pruneChanges(fresh.db, 60_000)]);
    expect(await horizon()).toEqual(before);
  });

  it("starts anew in a database that was copied from a server with higher numbers", async () => {
    const scope = randomUUID();
    await fresh.db.query(sql`
      insert into changes (list, scope, xid) values ('events', ${scope}, '900000000000000')`);
    await fresh.db.query(sql`update change_horizon set pruned = '900000000000000', next = '900000000000000'`);
    expect(await isUnchanged(await held("events", scope))).toBe(false);
    await pruneChanges(fresh.db, 0);
    await until(async () => isUnchanged(await held("events", scope)));
  });

  const horizon = () => fresh.db.query(sql`select pruned::text, next::text, pruned_at from change_horizon`);
});

withPostgres("beside open transactions", () => {
  /** Held while no older transaction than this one is open: those of other databases on the server count, too. */
  const heldBefore = async (tx: Queryable, scope: string): Promise<PastRead> => {
    const [own] = await tx.query<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`);
    return until(async () => {
      const one = await held("events", scope);
      return one.readAt.snapshot.startsWith(`${own?.xid}:`) && one;
    });
  };

  it("what was read before a commit is outdated after it, however early the transaction began", async () => {
    const scope = randomUUID();
    const points: PastRead[] = [];
    await fresh.db.transaction(async (tx) => {
      await change(tx, scope);
      await change(fresh.db, randomUUID());
      points.push(await held("events", scope));
      expect(await isUnchanged(points[0] as PastRead)).toBe(true);
    });
    expect(await isUnchanged(points[0] as PastRead)).toBe(false);
  });

  it(`at most ${maximumChangesRead} changes are looked at: with more, what is held counts as outdated`, async () => {
    const scope = randomUUID();
    await fresh.db.transaction(async (tx) => {
      await change(tx, randomUUID());
      for (let i = 1; i < maximumChangesRead; i += 1) await change(fresh.db, scope);
      const one = await held("events", scope);
      expect(await isUnchanged(one)).toBe(true);
      await change(fresh.db, scope);
      expect(await isUnchanged(await held("events", scope))).toBe(false);
    });
    await until(async () => isUnchanged(await held("events", scope)));
  });

  it("pruning keeps changes that an open transaction could make outdated", async () => {
    const scope = randomUUID();
    await fresh.db.transaction(async (tx) => {
      await change(tx, scope);
      const one = await heldBefore(tx, scope);
      for (let i = 0; i < 3; i += 1) await pruneChanges(fresh.db, 0);
      expect(await isUnchanged(one)).toBe(true);
    });
    expect(await fresh.db.query(sql`select from changes where scope = ${scope}`)).toHaveLength(1);
  });
});

withPostgres("an organization that becomes host", () => {
  /** Runs both at the same time, the second while the first is not committed, and asks what the organization holds. */
  async function race(first: (tx: Queryable) => Promise<unknown>, organization: string, event: string) {
    let joined: Promise<unknown> = Promise.resolve();
    const one: PastRead[] = [];
    await fresh.db.transaction(async (tx) => {
      await first(tx);
      joined = fresh.db.query(sql`
        insert into event_hosts (event_id, organization_id, role) values (${event}, ${organization}, 'co_host')`);
      // It waits for this transaction, unless nothing makes it wait.
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      joined.then(over, over);
      await until(async () => isOver || (await isWaitedFor(tx)));
      one.push(await held("posters", organization), await held("conferences", organization));
    });
    await joined;
    return Promise.all(one.map(isUnchanged));
  }

  it.each(["poster", "conference", "event"] as const)(
    "while the %s changes sees one or the other later",
    async (what) => {
      const conference = await make.conference();
      const event = await make.event(conference, { hosts: [await make.organization()] });
      const poster = await make.poster(event);
      const statements = {
        poster: sql`update posters set title = 'New' where id = ${poster}`,
        conference: sql`update conferences set name = 'New' where id = ${conference}`,
        event: sql`update events set name = 'New' where id = ${event}`,
      };
      const rename = (tx: Queryable) => tx.query(statements[what]);
      expect(await race(rename, await make.organization(), event)).toEqual([false, false]);
    },
  );
});
