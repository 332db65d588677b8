import sql, { raw } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { irreversible, reasonAgainst } from "../../contract/irreversible.js";
import type { Database } from "../../src/infra/database/db.js";
import { consoleTools, platformTools, revertibleTables, type ToolServices, tools } from "../../src/registry.js";
import type { MutationTool } from "../../src/runner/mutation.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { testServices } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { exampleInput } from "../support/tool-examples.js";
import { createToolRunner } from "../support/tool-runner.js";

// Every change can be reverted exactly, or a reason is declared. Whole tables are compared, so these tests use a separate database.

const fresh = useFreshDatabase();
let db: Database;
let services: ToolServices;

beforeAll(async () => {
  db = fresh.db;
  services = testServices(db, publicUrl);
});

const mutations = [...tools, ...consoleTools].filter((tool): tool is MutationTool => tool.kind === "mutation");
const revertible = mutations.filter(({ name }) => reasonAgainst(name) === undefined);

/** Further inputs of tools that do several things. */
const furtherInputs: Record<string, ((fixture: EventFixture) => Record<string, unknown>)[]> = {
  update_event_details: [
    ({ eventId }) => ({
      event_id: eventId,
      name: "Another name",
      start_time: "2031-05-02T18:00:00.000Z",
      end_time: "2031-05-02T20:00:00.000Z",
      status: "approved",
      category: "vip",
      description: "Words",
      luma_url: "https://lu.ma/x",
    }),
  ],
  batch_update_event_registrations: (["decline", "waitlist"] as const).map(
    (action) =>
      ({ eventId, registrationIds: { pending, approved } }: EventFixture) => ({
        event_id: eventId,
        action,
        registration_ids: [pending, approved],
      }),
  ),
  create_event_segment: [
    ({ eventId, speakerIds }) => ({
      event_id: eventId,
      title: "In between",
      duration_minutes: 5,
      start_time: "2031-05-01T18:05:00.000Z",
      speaker_ids: [speakerIds[2], speakerIds[0]],
    }),
  ],
  update_event_segment: [
    ({ eventId, segmentIds }) => ({ event_id: eventId, segment_id: segmentIds[0], speaker_ids: [], notes: "Lights" }),
  ],
};

const cases = revertible.flatMap(({ name }) =>
  [undefined, ...(furtherInputs[name] ?? [])].map((further, index) => [name, index, further] as const),
);

it("a change is reverted, or the reason why not is declared once", () => {
  const all = [...tools, ...consoleTools, ...platformTools].filter(({ kind }) => kind === "mutation");
  const ofPeople = [...consoleTools, ...platformTools].map(({ name }) => name);
  expect(ofPeople.filter((name) => reasonAgainst(name) === undefined)).toEqual([
    "add_walk_in",
    "set_event_poster_links",
  ]);
  const withoutTool = ["connect_app", "patch_poster", "host_offer_received", "host_offer_withdrawn"];
  const names = Object.keys(irreversible).filter((name) => !name.endsWith(":") && !withoutTool.includes(name));
  expect(names.filter((name) => !all.some((tool) => tool.name === name))).toEqual([]);
});

describe.each(cases)("%s, example %i", (name, _index, further) => {
  it("is reverted exactly, and so is its revert", async () => {
    const fixture = await createEventFixture(db);
    const example = further?.(fixture) ?? (await exampleInput(db, fixture, name));
    const states = [await snapshot()];
    const { record_id: first } = await createToolRunner(db, fixture, services).commit(name, example);
    states.push(await snapshot());
    expect(states[1]).not.toEqual(states[0]);
    let record = first;
    for (const expected of states) {
      const reverted = await createToolRunner(db, fixture, services).commit("revert_change", { record_id: record });
      expect(await snapshot()).toEqual(expected);
      expect(reverted.preview.proposed).not.toEqual(reverted.preview.current);
      expect(reverted.after).toEqual(reverted.preview.proposed);
      expect(reverted.reverts).toMatchObject({ record_id: record });
      record = reverted.record_id;
    }
  });
});

it("keeps every column that is neither a key nor computed nor a copy", async () => {
  // What a trigger leaves out is computed, a copy with a foreign key, or the time of the last change.
  const rows = await db.query<{ table: string; derived: string }>(sql`
    select c.relname as table, encode(t.tgargs, 'escape') as derived
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'keep_row_change'`);
  expect(rows.map(({ table }) => table).sort()).toEqual(revertibleTables.map(({ name }) => name).sort());
  const computed = await db.query<{ table: string; column: string }>(sql`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attgenerated <> '' and c.relname = any (${revertibleTables.map(({ name }) => name)}::text[])`);
  for (const { table, column } of computed) {
    expect(rows.find((row) => row.table === table)?.derived.split(/[ \\]|000/), `${table}.${column}`).toContain(column);
  }
});

/** Every row of every table, except records, who is there, and what follows from changes: when a trigger first saw a link. */
async function snapshot(): Promise<Record<string, unknown>> {
  const left = ["mutation_records", "users", "members", "changes", "change_horizon", "hosted_conferences", "images"];
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> all (${left}::text[])`,
  );
  const parts = tables.map(({ name }) => {
    const derived = name === "poster_links" ? "{updated_at,reported_at}" : "{updated_at}";
    return `(select jsonb_agg(r order by r) from (select to_jsonb(t) - '${derived}'::text[] as r from "${name}" t) rows) as "${name}"`;
  });
  const [row] = await db.query<Record<string, unknown>>(raw(`select ${parts.join(", ")}`));
  return row ?? {};
}
