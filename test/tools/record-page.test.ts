import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { ListedRecord } from "../../contract/console/records.js";
import { exportRecords } from "../../src/records/record-export.js";
import { type RecordView, readRecordPage } from "../../src/records/record-page.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useDatabase } from "../support/setup.js";

const { db, make } = useDatabase(2);
let fixture: EventFixture;
let cohostUser: string;

beforeAll(async () => {
  fixture = await createEventFixture(db);
  cohostUser = await make.member(fixture.cohostOrganizationId, "owner");
});

type Row = Partial<{ organization: string; event: string; user: string; tool: string; via: string; operator: string }>;

async function record({ organization, event, user, tool = "t", via = "console", operator }: Row, after: unknown = {}) {
  const [row] = await db.query<{ id: string }>(sql`
    insert into mutation_records
      (tool, organization_id, event_id, user_id, via, operator, reason, request, request_hash, before, after)
    values (${tool}, ${organization ?? null}, ${event ?? null}, ${user ?? null}, ${via}, ${operator ?? null}, 'because',
      '{}', 'x', '{}', ${JSON.stringify(after)})
    returning id`);
  return row?.id ?? "";
}

async function list(view: RecordView, limit = 50): Promise<ListedRecord[]> {
  const items: ListedRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readRecordPage(db, view, { cursor, limit });
    items.push(...page.items.map((item) => JSON.parse(item)));
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

describe("the records of an organization", () => {
  it("are its own and those of the events that it hosts, in which others are an organization's name", async () => {
    const { organizationId, cohostOrganizationId, otherOrganizationId, eventId } = fixture;
    const own = await record({ organization: organizationId, user: fixture.caller.userId }, { name: "New" });
    const cohosts = await record(
      { organization: cohostOrganizationId, event: eventId, user: cohostUser },
      { venue: "B" },
    );
    const operators = await record({ event: eventId, via: "command_line", operator: "root" });
    await record({ organization: cohostOrganizationId, user: cohostUser });
    await record({ organization: otherOrganizationId });
    const seen = await list({ of: "organization", organizationId, filters: {} }, 2);
    expect(seen.map(({ id }) => id).sort()).toEqual([operators, cohosts, own].sort());
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    const byId = new Map(seen.map((item) => [item.id, item]));
    expect(byId.get(own)).toMatchObject({ own: true, reason: "because", user: { id: fixture.caller.userId } });
    expect(byId.get(cohosts)).toMatchObject({
      own: false,
      reason: null,
      user: null,
      operator: null,
      organization: { id: cohostOrganizationId, name: "Next Door" },
      event: { id: eventId },
      changes: [{ path: "venue", from: null, to: "B" }],
    });
    expect(byId.get(operators)).toMatchObject({ own: false, operator: null, organization: null });
  });

  it("end with an event that nobody sees", async () => {
    const own = await createEventFixture(db);
    await record({ organization: own.cohostOrganizationId, event: own.eventId });
    const view: RecordView = { of: "organization", organizationId: own.organizationId, filters: {} };
    expect(await list(view)).toHaveLength(1);
    await db.query(sql`update events set status = 'draft' where id = ${own.eventId}`);
    expect(await list(view)).toEqual([]);
  });
});

describe("the records of the platform", () => {
  it("are found by each filter", async () => {
    const [organization, event, user, tool] = [randomUUID(), randomUUID(), randomUUID(), `tool_${randomUUID()}`];
    const id = await record({ organization, event, user, tool });
    const found = (filters: Extract<RecordView, { of: "platform" }>["filters"]) => list({ of: "platform", filters });
    for (const filters of [{ organization }, { event }, { person: user }, { tool }]) {
      expect((await found(filters)).map((item) => item.id)).toEqual([id]);
    }
    expect(await found({ tool, via: "key" })).toEqual([]);
    expect(await found({ tool, since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
    expect(await found({ tool, until: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
    expect(await found({ tool, until: new Date(Date.now() + 3_600_000).toISOString() })).toHaveLength(1);
  });

  it("name a person who was removed by id only", async () => {
    const user = randomUUID();
    await record({ user });
    expect((await list({ of: "platform", filters: { person: user } }))[0]?.user).toEqual({
      id: user,
      name: null,
      email: null,
    });
  });

  it("show a bounded difference", async () => {
    const tool = `tool_${randomUUID()}`;
    await record(
      { tool },
      { ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, "x".repeat(5_000)])) },
    );
    const [item] = await list({ of: "platform", filters: { tool } });
    expect(item?.changes_in_all).toBe(60);
    expect(item?.changes).toHaveLength(25);
    expect(JSON.stringify(item).length).toBeLessThan(15_000);
  });

  it("are exported as CSV, newest first, in several batches", async () => {
    const tool = `tool_${randomUUID()}`;
    await db.query(sql`
      insert into mutation_records (tool, via, operator, request, request_hash, after, at)
      select ${tool}, 'command_line', 'root', '{}', 'x', jsonb_build_object('n', n), now() + n * interval '1 second'
      from generate_series(1, 1201) n`);
    const [titles, ...lines] = (await text(exportRecords(db, { of: "platform", filters: { tool } })))
      .trimEnd()
      .split("\r\n");
    expect(titles).toMatch(/Time,Who,Email,How,.*,Record id$/);
    expect(lines[0]).toMatch(/,root,,Command line,/);
    const numbers = lines.map((line) => Number(/n: empty → (\d+)/.exec(line)?.[1]));
    expect(numbers).toEqual(Array.from({ length: 1201 }, (_, n) => 1201 - n));
  });

  it("are exported without formulas, and name who undid a change", async () => {
    const tool = `tool_${randomUUID()}`;
    await db.query(sql`
      with undone as (
        insert into mutation_records (tool, via, operator, reason, request, request_hash)
        values (${tool}, 'command_line', '=cmd()', '@sum(a)', '{}', 'x') returning id)
      insert into mutation_records (tool, via, operator, request, request_hash)
      select 'revert_change', 'command_line', '=undo()', json_build_object('record_id', id), 'x' from undone`);
    const exported = await text(exportRecords(db, { of: "platform", filters: { tool } }));
    expect(exported).toContain(",'=cmd(),");
    expect(exported).toContain(",'@sum(a),");
    expect(exported).toContain(",'=undo(),");
  });
});
