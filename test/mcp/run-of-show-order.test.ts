import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { countStatements } from "../support/count-statements.js";
import { createEventFixture } from "../support/event-fixture.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf, createToolRunner } from "../support/tool-runner.js";

const { db } = useDatabase();
const { fixture, tools } = useEvent(db);

type Segment = { title: string; start_time: string; position: number };

const stored = async (): Promise<[string, string, number][]> => {
  const rows = await db.query<Segment>(sql`
    select title, to_char(start_time at time zone 'UTC', 'HH24:MI') as start_time, position from segments
    where event_id = ${fixture.eventId} order by position`);
  return rows.map(({ title, start_time, position }) => [title, start_time, position]);
};

const clockOf = (segments: Record<string, string>[]) =>
  segments.map(({ title, start_time }) => [title, start_time?.slice(11, 16)]);

const fill = (from: number, to: number) =>
  db.query(sql`
    insert into segments (event_id, title, start_time, duration_minutes, position)
    select ${fixture.eventId}, 'Segment ' || n, '2031-05-01T18:00Z'::timestamptz + n * interval '10 minutes', 10, n
    from generate_series(${from}::int, ${to}::int) n`);

describe("reorder_event_segments", () => {
  it("keeps durations and places the segments back to back", async () => {
    const [first, second, third] = fixture.segmentIds;
    await tools.commit("update_event_segment", { segment_id: second, duration_minutes: 45 });
    await tools.commit("update_event_segment", { segment_id: third, start_time: "2031-05-01T22:00:00Z" });
    const segment_ids = [third.toUpperCase(), second, first];
    const { after } = await tools.commit("reorder_event_segments", { segment_ids });
    expect(clockOf(after.segments)).toEqual([
      ["Segment 2", "18:00"],
      ["Segment 1", "18:10"],
      ["Segment 0", "18:55"],
    ]);
    expect(Object.keys(after.segments[0]).sort()).toEqual(["duration_minutes", "id", "start_time", "title"]);
    expect(await stored()).toEqual([
      ["Segment 2", "18:00", 0],
      ["Segment 1", "18:10", 1],
      ["Segment 0", "18:55", 2],
    ]);
    const run = await tools.run("get_event_run_of_show");
    expect(run).toMatchObject({ gaps: [], overlaps: [], segments: [{}, {}, { speaker_ids: [fixture.speakerIds[0]] }] });
  });

  it("reports missing, unknown and duplicate ids, and changes nothing", async () => {
    const [first, second, third] = fixture.segmentIds;
    const [theirs] = (await createEventFixture(db)).segmentIds;
    const before = await stored();
    const error = await tools.refusal("reorder_event_segments", { segment_ids: [first, theirs] });
    expect(error).toMatchObject({
      code: "invalid_input",
      details: { missing: [second, third], unknown: [theirs] },
    });
    expect(error.message).toContain(`missing: ${second}, ${third}; unknown: ${theirs}`);
    const twice = await tools.refusal("reorder_event_segments", { segment_ids: [first, first, second, third] });
    expect(twice.message).toBe(`segment_ids: expected each id once; repeated: ${first}`);
    expect((await tools.refusal("reorder_event_segments", { segment_ids: [] })).code).toBe("invalid_input");
    expect(await stored()).toEqual(before);
  });
});

it("500 segments need as many statements as three", async () => {
  const counts: Record<string, number[]> = {};
  for (const size of [3, 499]) {
    if (size > 3) await fill(3, size - 1);
    const rows = await db.query<{ id: string }>(sql`
      select id from segments where event_id = ${fixture.eventId} order by start_time desc`);
    const segment_ids = rows.map(({ id }) => id);
    for (const [name, args] of Object.entries({
      get_event_run_of_show: {},
      reorder_event_segments: { segment_ids },
      update_event_segment: { segment_id: segment_ids[0], start_time: `2031-05-01T17:00:0${size % 7}Z` },
      create_event_segment: { title: "New", duration_minutes: 5, start_time: "2031-05-01T16:00:00Z" },
    })) {
      const counted = countStatements(db);
      const runner = createToolRunner(counted.db, fixture);
      if (name.startsWith("get")) await runner.run(name);
      else await runner.commit(name, args);
      counts[name] = [...(counts[name] ?? []), counted.reset()];
    }
    await db.query(sql`delete from segments where title = 'New' and event_id = ${fixture.eventId}`);
  }
  for (const [few, many] of Object.values(counts)) expect(many).toBe(few);
});

it("set_event_run_of_show_publication publishes, unpublishes, and says that there is nothing to change", async () => {
  const published = await tools.commit("set_event_run_of_show_publication", { published: "true" });
  expect(changesOf(published.preview)).toEqual([{ path: "published", from: false, to: true }]);
  expect(published.after).toEqual({ published: true, segment_count: 3 });
  expect(await tools.run("get_event_run_of_show")).toMatchObject({ published: true });
  const again = await tools.run("set_event_run_of_show_publication", { published: true });
  expect(again).toMatchObject({ message: expect.any(String) });
  await tools.commit("set_event_run_of_show_publication", { published: false });
  expect(await tools.run("get_event_run_of_show")).toMatchObject({ published: false });
});
