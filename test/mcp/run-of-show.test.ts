import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/db.js";
import { makeEventWorld } from "../support/event-world.js";
import { makerOn } from "../support/make.js";
import { type TestTools, toolRunnerOn } from "../support/tool-runner.js";

let db: Database;
let world: Awaited<ReturnType<typeof makeEventWorld>>;
let tools: TestTools;
let event_id: string;

beforeAll(() => {
  db = openDatabase(inject("database"), { poolSize: 4, onIdleError: () => {} });
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await makeEventWorld(db);
  tools = toolRunnerOn(db, world.caller);
  event_id = world.eventId;
});

type Segment = { id: string; title: string; start_time: string; duration_minutes: number; position: number };

const stored = async (): Promise<[string, string, number][]> => {
  const rows = await db.query<Segment>(sql`
    select title, to_char(start_time at time zone 'UTC', 'HH24:MI') as start_time, position from segments
    where event_id = ${event_id} order by position`);
  return rows.map(({ title, start_time, position }) => [title, start_time, position]);
};

const fill = (from: number, to: number, notes: string | null = null) =>
  db.query(sql`
    insert into segments (event_id, title, start_time, duration_minutes, position, notes)
    select ${event_id}, 'Segment ' || n, '2031-05-01T18:00Z'::timestamptz + n * interval '10 minutes', 10, n, ${notes}
    from generate_series(${from}::int, ${to}::int) n`);

describe("get_event_run_of_show", () => {
  it("shows segments with their ends, in UTC and in the zone of the event", async () => {
    const run = await tools.run("get_event_run_of_show", { event_id });
    expect(run).toMatchObject({ event_id, published: false, timezone: "Europe/Lisbon", gaps: [], overlaps: [] });
    expect(run.segments[0]).toEqual({
      id: world.segmentIds[0],
      title: "Segment 0",
      kind: "talk",
      start_time: "2031-05-01T18:00:00.000Z",
      duration_minutes: 10,
      location: null,
      speaker_ids: [world.speakerIds[0]],
      notes: null,
      end_time: "2031-05-01T18:10:00.000Z",
      local_start: "2031-05-01T19:00+01:00",
      local_end: "2031-05-01T19:10+01:00",
    });
    expect(run).not.toHaveProperty("left_out");
  });

  it("orders by start, whatever positions an import left", async () => {
    await db.query(sql`update segments set position = 9 - position where event_id = ${event_id}`);
    const run = await tools.run("get_event_run_of_show", { event_id });
    expect(run.segments.map(({ id }: Segment) => id)).toEqual(world.segmentIds);
  });

  it("finds gaps and overlaps across the whole", async () => {
    const [first, second, third] = world.segmentIds;
    await tools.commit("update_event_segment", { event_id, segment_id: third, start_time: "2031-05-01T19:00:00Z" });
    await tools.commit("update_event_segment", { event_id, segment_id: second, start_time: "2031-05-01T18:05:00Z" });
    const run = await tools.run("get_event_run_of_show", { event_id });
    expect(run.overlaps).toMatchObject([{ first, second, minutes: 5 }]);
    expect(run.gaps).toMatchObject([{ after: second, before: third, minutes: 45 }]);
  });

  it("stays small for a long run of show with long notes, and can be read on to its end", async () => {
    await fill(3, 499, "說".repeat(20_000));
    const seen: string[] = [];
    let after: { after_segment_id?: string } = {};
    for (let pages = 0; ; pages++) {
      const run = await tools.run("get_event_run_of_show", { event_id, ...after });
      expect(Buffer.byteLength(JSON.stringify(run))).toBeLessThan(90_000);
      seen.push(...run.segments.map(({ title }: Segment) => title));
      expect(run.left_out?.segments ?? 0).toBe(500 - seen.length);
      if (run.left_out === undefined) break;
      expect(run.segments.at(-1).notes ?? "…").toMatch(/…$/);
      after = { after_segment_id: run.segments.at(-1).id };
      expect(pages).toBeLessThan(20);
    }
    expect(seen).toEqual(Array.from({ length: 500 }, (_, n) => `Segment ${n}`));
    const stranger = await tools.refusal("get_event_run_of_show", { event_id, after_segment_id: randomUUID() });
    expect(stranger.code).toBe("not_found");
  });

  it("bounds gaps and overlaps and counts the rest", async () => {
    await db.query(sql`
      update segments set duration_minutes = 10080, start_time = '2031-05-01T18:00Z' where event_id = ${event_id}`);
    await fill(3, 30);
    const run = await tools.run("get_event_run_of_show", { event_id });
    expect(run.overlaps).toHaveLength(25);
    expect(run.left_out).toEqual({ overlaps: 3 + 3 * 28 - 25 });
  });

  it("an empty one is empty", async () => {
    await db.query(sql`delete from segments where event_id = ${event_id}`);
    expect(await tools.run("get_event_run_of_show", { event_id })).toMatchObject({ segments: [], gaps: [] });
  });
});

describe("create_event_segment", () => {
  it("follows the last one when no start is given, and the event's start when there is none", async () => {
    const [first] = world.segmentIds;
    await tools.commit("update_event_segment", { event_id, segment_id: first, duration_minutes: 90 });
    const created = await tools.commit("create_event_segment", { event_id, title: "Encore", duration_minutes: 1 });
    expect(created.after).toMatchObject({
      next_start: "2031-05-01T19:30:00.000Z",
      segment: { id: expect.any(String), start_time: "2031-05-01T19:30:00.000Z", kind: "talk", speaker_ids: [] },
    });
    await db.query(sql`delete from segments where event_id = ${event_id}`);
    const only = await tools.commit("create_event_segment", { event_id, title: "Opening", duration_minutes: 10_080 });
    expect(only.after.segment.start_time).toBe("2031-05-01T18:00:00.000Z");
  });

  it("takes its place by its start, behind others with the same start", async () => {
    const fields = { duration_minutes: 5, start_time: "2031-05-01T19:10:00+01:00" };
    await tools.commit("create_event_segment", { event_id, title: "Between", ...fields });
    expect(await stored()).toEqual([
      ["Segment 0", "18:00", 0],
      ["Segment 1", "18:10", 1],
      ["Between", "18:10", 2],
      ["Segment 2", "18:20", 3],
    ]);
  });

  it("two with starts of their own can be added from previews of the same moment, two without cannot", async () => {
    const preview = (title: string, more: object) =>
      tools.run("create_event_segment", { event_id, title, duration_minutes: 5, ...more });
    const commit = ({ commit_with }: { commit_with: object }) => ({ ...commit_with, reason: "for the test" });
    const free = [
      await preview("A", { start_time: "2031-05-01T20:00:00Z" }),
      await preview("B", { start_time: "2031-05-01T21:00:00Z" }),
    ];
    for (const one of free) await tools.run("create_event_segment", commit(one));
    const [last, late] = [await preview("C", {}), await preview("D", {})];
    await tools.run("create_event_segment", commit(last));
    expect((await tools.refusal("create_event_segment", commit(late))).code).toBe("version_conflict");
    expect((await stored()).map(([title]) => title).slice(3)).toEqual(["A", "B", "C"]);
  });

  it("keeps the order of speakers, and every field as it was sent", async () => {
    const speaker_ids = [world.speakerIds[2], world.speakerIds[0]];
    const fields = { title: "Ünï “𝕏” 🦜", kind: "panel", location: "Stage é", notes: "a\nb", speaker_ids };
    const { after } = await tools.commit("create_event_segment", { event_id, duration_minutes: 30, ...fields });
    expect(after.segment).toMatchObject(fields);
    const { segments } = await tools.run("get_event_run_of_show", { event_id });
    expect(segments.at(-1)).toMatchObject(fields);
  });

  it.each([
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
  ])("refuses %j", async (fields, message) => {
    const valid = { event_id, title: "T", duration_minutes: 5 };
    const error = await tools.refusal("create_event_segment", { ...valid, ...fields });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(message);
  });

  it("refuses a speaker named twice, and speakers of other events, by id", async () => {
    const [ada] = world.speakerIds;
    const other = await makeEventWorld(db);
    const valid = { event_id, title: "T", duration_minutes: 5 };
    const twice = await tools.refusal("create_event_segment", { ...valid, speaker_ids: [ada, ada.toUpperCase()] });
    expect(twice.message).toContain("speaker_ids: expected each speaker once");
    const [theirs] = other.speakerIds;
    const foreign = { speaker_ids: [ada, theirs] };
    for (const error of [
      await tools.refusal("create_event_segment", { ...valid, ...foreign }),
      await tools.refusal("update_event_segment", { event_id, segment_id: world.segmentIds[0], ...foreign }),
    ]) {
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(theirs) });
      expect(error.message).not.toContain(ada);
    }
    expect(await stored()).toHaveLength(3);
  });

  it("stops at 500 segments", async () => {
    await fill(3, 498);
    await tools.commit("create_event_segment", { event_id, title: "The last", duration_minutes: 5 });
    const error = await tools.refusal("create_event_segment", { event_id, title: "One more", duration_minutes: 5 });
    expect(error).toMatchObject({ code: "conflict", message: "A run of show has at most 500 segments" });
  });
});

describe("update_event_segment", () => {
  it("changes the given fields only, shows no others, and moves by its start", async () => {
    const [segment_id] = world.segmentIds;
    await db.query(sql`update segments set notes = 'Crew', location = 'Stage' where id = ${segment_id}`);
    const moved = { event_id, segment_id, start_time: "2031-05-01T18:15:00.000Z" };
    const preview = await tools.run("update_event_segment", moved);
    expect(preview.current).toEqual({
      segment: { id: segment_id, title: "Segment 0", start_time: "2031-05-01T18:00:00.000Z" },
    });
    await tools.commit("update_event_segment", moved);
    expect(await stored()).toEqual([
      ["Segment 1", "18:10", 0],
      ["Segment 0", "18:15", 1],
      ["Segment 2", "18:20", 2],
    ]);
    const { segments } = await tools.run("get_event_run_of_show", { event_id });
    expect(segments[1]).toMatchObject({ notes: "Crew", location: "Stage", speaker_ids: [world.speakerIds[0]] });
    const cleared = await tools.commit("update_event_segment", {
      event_id,
      segment_id,
      location: null,
      speaker_ids: [],
    });
    expect(cleared.changes).toEqual([
      { path: "segment.location", from: "Stage", to: null },
      { path: "segment.speaker_ids", from: [world.speakerIds[0]], to: [] },
    ]);
    expect(cleared.after.segment).toMatchObject({ location: null, speaker_ids: [] });
  });

  it("keeps its place among equal starts", async () => {
    const [, segment_id, third] = world.segmentIds;
    await tools.commit("update_event_segment", { event_id, segment_id: third, start_time: "2031-05-01T18:10:00Z" });
    await tools.commit("update_event_segment", { event_id, segment_id, title: "Renamed" });
    expect((await stored()).map(([title]) => title)).toEqual(["Segment 0", "Renamed", "Segment 2"]);
  });

  it("changes nothing when nothing, or the same, is sent", async () => {
    const [segment_id] = world.segmentIds;
    for (const same of [{}, { title: "Segment 0", start_time: "2031-05-01T20:00:00+02:00" }]) {
      expect((await tools.run("update_event_segment", { event_id, segment_id, ...same })).changes).toEqual([]);
    }
  });

  it("does not know segments of other events", async () => {
    const other = await makeEventWorld(db);
    const own = await makerOn(db).event(await makerOn(db).conference(), { hosts: [world.organizationId] });
    const [theirs] = other.segmentIds;
    for (const [id, segment_id] of [
      [event_id, theirs],
      [own, world.segmentIds[0]],
      [event_id, randomUUID()],
    ]) {
      const error = await tools.refusal("update_event_segment", { event_id: id, segment_id, title: "Mine" });
      expect(error).toMatchObject({ code: "not_found", message: expect.stringContaining(String(segment_id)) });
    }
    const rows = await db.query(sql`select 1 from segments where title = 'Mine' and event_id = ${other.eventId}`);
    expect(rows).toEqual([]);
  });
});
