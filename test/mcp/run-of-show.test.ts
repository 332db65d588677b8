import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";

const { db, make } = useDatabase();
const { fixture, tools } = useEvent(db);

type Segment = { id: string; title: string; start_time: string; duration_minutes: number; position: number };

const stored = async (): Promise<[string, string, number][]> => {
  const rows = await db.query<Segment>(sql`
    select title, to_char(start_time at time zone 'UTC', 'HH24:MI') as start_time, position from segments
    where event_id = ${fixture.eventId} order by position`);
  return rows.map(({ title, start_time, position }) => [title, start_time, position]);
};

const fill = (from: number, to: number, notes: string | null = null) =>
  db.query(sql`
    insert into segments (event_id, title, start_time, duration_minutes, position, notes)
    select ${fixture.eventId}, 'Segment ' || n, '2031-05-01T18:00Z'::timestamptz + n * interval '10 minutes', 10, n, ${notes}
    from generate_series(${from}::int, ${to}::int) n`);

describe("get_event_run_of_show", () => {
  it("shows segments with their end", async () => {
    const run = await tools.run("get_event_run_of_show");
    expect(run).toMatchObject({
      event_id: fixture.eventId,
      published: false,
      timezone: "Europe/Lisbon",
      gaps: [],
      overlaps: [],
    });
    expect(run.segments[0]).toEqual({
      id: fixture.segmentIds[0],
      title: "Segment 0",
      kind: "talk",
      start_time: "2031-05-01T18:00:00.000Z",
      duration_minutes: 10,
      location: null,
      speaker_ids: [fixture.speakerIds[0]],
      speakers: [{ id: fixture.speakerIds[0], name: "Speaker 0" }],
      notes: null,
      end_time: "2031-05-01T18:10:00.000Z",
    });
    expect(run).not.toHaveProperty("left_out");
  });

  it("orders by start, regardless of stored positions", async () => {
    await db.query(sql`update segments set position = 9 - position where event_id = ${fixture.eventId}`);
    const run = await tools.run("get_event_run_of_show");
    expect(run.segments.map(({ id }: Segment) => id)).toEqual(fixture.segmentIds);
  });

  it("is bounded for a long run of show with long notes, and can be paged to the end", async () => {
    await fill(3, 199, "說".repeat(1_400));
    const seen: string[] = [];
    let after: { after_segment_id?: string } = {};
    for (let pages = 0; ; pages++) {
      const run = await tools.run("get_event_run_of_show", after);
      expect(Buffer.byteLength(JSON.stringify(run))).toBeLessThan(90_000);
      seen.push(...run.segments.map(({ title }: Segment) => title));
      expect(run.left_out?.segments ?? 0).toBe(200 - seen.length);
      if (run.left_out === undefined) break;
      expect(run.segments.at(-1).notes).toMatch(/^說+…$/);
      after = { after_segment_id: run.segments.at(-1).id };
      expect(pages).toBeLessThan(10);
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => `Segment ${n}`));
    const unknown = await tools.refusal("get_event_run_of_show", { after_segment_id: randomUUID() });
    expect(unknown.code).toBe("not_found");
  });

  it("bounds gaps and overlaps, and counts the omitted ones", async () => {
    await db.query(sql`
      update segments set duration_minutes = 10080, start_time = '2031-05-01T18:00Z' where event_id = ${fixture.eventId}`);
    await fill(3, 30);
    const run = await tools.run("get_event_run_of_show");
    expect(run.overlaps).toHaveLength(25);
    expect(run.left_out).toEqual({ overlaps: 3 + 3 * 28 - 25 });
  });

  it("can be empty", async () => {
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    expect(await tools.run("get_event_run_of_show")).toMatchObject({ segments: [], gaps: [] });
  });
});

describe("create_event_segment", () => {
  it("starts after the last segment by default, or at the event's start if there is none", async () => {
    const [first] = fixture.segmentIds;
    await tools.commit("update_event_segment", { segment_id: first, duration_minutes: 90 });
    const created = await tools.commit("create_event_segment", { title: "Encore", duration_minutes: 1 });
    expect(created.after.next_start).toBe("2031-05-01T19:30:00.000Z");
    expect(created.after.segments.at(-1)).toMatchObject({
      id: created.created[0].id,
      start_time: "2031-05-01T19:30:00.000Z",
      kind: "talk",
      speakers: [],
    });
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    const only = await tools.commit("create_event_segment", { title: "Opening", duration_minutes: 10_080 });
    expect(only.after.segments[0].start_time).toBe("2031-05-01T18:00:00.000Z");
  });

  it("is ordered by its start, after others with the same start", async () => {
    const fields = { duration_minutes: 5, start_time: "2031-05-01T19:10:00+01:00" };
    await tools.commit("create_event_segment", { title: "Between", ...fields });
    expect(await stored()).toEqual([
      ["Segment 0", "18:00", 0],
      ["Segment 1", "18:10", 1],
      ["Between", "18:10", 2],
      ["Segment 2", "18:20", 3],
    ]);
  });

  it("refuses what is not valid", () =>
    expectRefused(
      tools,
      "create_event_segment",
      (
        [
          [{ title: "" }, "title: expected a string that is not blank"],
          [{ title: "\ud800" }, "title: expected valid Unicode"],
          [{ title: "t".repeat(201) }, "title: expected at most 200 characters"],
          [{ duration_minutes: 0 }, "duration_minutes: expected an integer from 1 to 10080"],
          [{ duration_minutes: 10_081 }, "duration_minutes: expected an integer from 1 to 10080"],
          [{ duration_minutes: 2.5 }, "duration_minutes: expected an integer from 1 to 10080"],
          [{ kind: "nap" }, "kind: expected one of talk, panel, break, performance, logistics, other"],
          [{ start_time: "18:00" }, "start_time: expected an ISO 8601 timestamp with an offset"],
          [{ notes: "n".repeat(4001) }, "notes: expected at most 4000 characters"],
          [{ notes: "a\u0000" }, "notes: expected valid Unicode"],
          [{ speaker_ids: ["ada"] }, "speaker_ids[0]: expected a uuid"],
          [{ speaker_ids: Array(51).fill("00000000-0000-4000-8000-000000000000") }, "speaker_ids: "],
          [{ position: 1 }, "position: unknown field"],
        ] as [object, string][]
      ).map(([fields, text]) => [{ title: "T", duration_minutes: 5, ...fields }, text]),
    ));

  it("refuses duplicate speakers and speakers of other events, by id", async () => {
    const [ada] = fixture.speakerIds;
    const other = await createEventFixture(db);
    const valid = { title: "T", duration_minutes: 5 };
    const twice = await tools.refusal("create_event_segment", { ...valid, speaker_ids: [ada, ada.toUpperCase()] });
    expect(twice.message).toContain(`speaker_ids: expected each id once; repeated: ${ada}`);
    const [theirs] = other.speakerIds;
    const foreign = { speaker_ids: [ada, theirs] };
    for (const error of [
      await tools.refusal("create_event_segment", { ...valid, ...foreign }),
      await tools.refusal("update_event_segment", { segment_id: fixture.segmentIds[0], ...foreign }),
    ]) {
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(theirs) });
      expect(error.message).not.toContain(ada);
    }
    expect(await stored()).toHaveLength(3);
  });

  it("allows at most 500 segments", async () => {
    await fill(3, 498);
    await tools.commit("create_event_segment", { title: "The last", duration_minutes: 5 });
    const error = await tools.refusal("create_event_segment", { title: "One more", duration_minutes: 5 });
    expect(error).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("A run of show has at most 500 segments, and this one has 500."),
    });
  });
});

describe("update_event_segment", () => {
  it("changes and shows only the given fields, and reorders by start", async () => {
    const [segment_id] = fixture.segmentIds;
    await db.query(sql`update segments set notes = 'Crew', location = 'Stage' where id = ${segment_id}`);
    const moved = { segment_id, start_time: "2031-05-01T18:15:00.000Z" };
    const preview = await tools.run("update_event_segment", moved);
    expect(preview.current).toEqual({
      segments: [{ id: segment_id, title: "Segment 0", start_time: "2031-05-01T18:00:00.000Z" }],
    });
    await tools.commit("update_event_segment", moved);
    expect(await stored()).toEqual([
      ["Segment 1", "18:10", 0],
      ["Segment 0", "18:15", 1],
      ["Segment 2", "18:20", 2],
    ]);
    const { segments } = await tools.run("get_event_run_of_show");
    expect(segments[1]).toMatchObject({ notes: "Crew", location: "Stage", speaker_ids: [fixture.speakerIds[0]] });
    const [ada] = fixture.speakerIds;
    const clear = { segment_id, location: null, notes: null, speaker_ids: [] };
    const cleared = await tools.commit("update_event_segment", clear);
    expect(changesOf(cleared.preview)).toEqual([
      { path: `segments[${segment_id}].location`, from: "Stage", to: null },
      { path: `segments[${segment_id}].notes`, from: "Crew", to: null },
      { path: `segments[${segment_id}].speakers[${ada}]`, from: { id: ada, name: "Speaker 0" }, to: null },
    ]);
    const { segments: after } = await tools.run("get_event_run_of_show");
    expect(after[1]).toMatchObject({ id: segment_id, location: null, notes: null, speaker_ids: [] });
  });

  it("keeps its position among equal starts", async () => {
    const [, segment_id, third] = fixture.segmentIds;
    await tools.commit("update_event_segment", { segment_id: third, start_time: "2031-05-01T18:10:00Z" });
    await tools.commit("update_event_segment", { segment_id, title: "Renamed" });
    expect((await stored()).map(([title]) => title)).toEqual(["Segment 0", "Renamed", "Segment 2"]);
  });

  it("changes nothing if no or equal values are sent", async () => {
    const [segment_id] = fixture.segmentIds;
    for (const same of [{}, { title: "Segment 0", start_time: "2031-05-01T20:00:00+02:00" }]) {
      expect(changesOf(await tools.run("update_event_segment", { segment_id, ...same }))).toEqual([]);
    }
  });

  it("does not find segments of other events", async () => {
    const other = await createEventFixture(db);
    const own = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    const [theirs] = other.segmentIds;
    for (const [id, segment_id] of [
      [fixture.eventId, theirs],
      [own, fixture.segmentIds[0]],
      [fixture.eventId, randomUUID()],
    ]) {
      const error = await tools.refusal("update_event_segment", { event_id: id, segment_id, title: "Taken" });
      expect(error).toMatchObject({ code: "not_found", message: expect.stringContaining(String(segment_id)) });
    }
    const rows = await db.query(sql`select 1 from segments where title = 'Taken' and event_id = ${other.eventId}`);
    expect(rows).toEqual([]);
  });
});
