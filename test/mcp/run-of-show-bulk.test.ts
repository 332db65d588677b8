import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";

const { db } = useDatabase(24);
const { fixture, tools } = useEvent(db);

type Stored = { title: string; at: string; minutes: number; position: number };

/** Titles and times in UTC, by position: "Segment 0 18:00 10". */
const stored = async (): Promise<string[]> => {
  const rows = await db.query<Stored>(sql`
    select title, to_char(start_time at time zone 'UTC', 'HH24:MI') as at, duration_minutes as minutes, position
    from segments where event_id = ${fixture.eventId} order by position`);
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
  return rows.map(({ title, at, minutes }) => `${title} ${at} ${minutes}`);
};

const untouched = ["Segment 0 18:00 10", "Segment 1 18:10 10", "Segment 2 18:20 10"];
const at = (time: string) => `2031-05-01T${time}:00.000Z`;
const talk = (title: string, duration_minutes: number, more = {}) => ({ title, duration_minutes, ...more });
const commitOf = ({ commit_with }: { commit_with: object }) => ({ ...commit_with, reason: "for the test" });

describe("create_event_segment with several segments", () => {
  it("places one after another behind the last, and returns their ids in order", async () => {
    const panelists = [fixture.speakerIds[1], fixture.speakerIds[0]];
    const segments = [
      talk("Panel", 30, { kind: "panel", speaker_ids: panelists }),
      talk("Break", 15, { kind: "break" }),
      talk("Late", 20, { start_time: "2031-05-01T22:00:00+01:00", notes: "Ünï “𝕏” 🦜\nb" }),
      talk("Last", 5),
    ];
    const { preview, after, created } = await tools.commit("create_event_segment", { segments });
    expect(preview.current.next_start).toBe(at("18:30"));
    expect(preview.current.segments).toHaveLength(3);
    expect(preview.proposed.segments).toHaveLength(7);
    expect(created.map(({ title }: Record<string, string>) => title)).toEqual(["Panel", "Break", "Late", "Last"]);
    const added = after.segments.slice(3);
    expect(added.map(({ title, start_time }: Record<string, string>) => [title, start_time])).toEqual([
      ["Panel", at("18:30")],
      ["Break", at("19:00")],
      ["Late", at("21:00")],
      ["Last", at("21:20")],
    ]);
    const speakers = panelists.map((id) => ({ id, name: `Speaker ${fixture.speakerIds.indexOf(id)}` }));
    expect(added[0]).toMatchObject({ kind: "panel", speakers, location: null });
    const withoutIds = (rows: { id: unknown }[]) => rows.map((row) => ({ ...row, id: null }));
    expect(withoutIds(added)).toEqual(preview.proposed.segments.slice(3));
    expect(await stored()).toEqual([
      ...untouched,
      ...["Panel 18:30 30", "Break 19:00 15", "Late 21:00 20", "Last 21:20 5"],
    ]);
    const { segments: shown } = await tools.run("get_event_run_of_show");
    expect(shown.at(-2).notes).toBe("Ünï “𝕏” 🦜\nb");
  });

  it("begins an empty run of show at the start of the event, and keeps the order of equal starts", async () => {
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    const start_time = at("18:00");
    const parallel = ["A", "B", "C", "D", "E"].map((title) => talk(title, 10, { start_time }));
    await tools.commit("create_event_segment", { segments: [talk("Doors", 10), ...parallel] });
    expect((await stored()).map((row) => row.split(" ")[0])).toEqual(["Doors", "A", "B", "C", "D", "E"]);
  });

  it("inserts after a segment, and shifts what follows by the length of what is added", async () => {
    const [first] = fixture.segmentIds;
    const inserted = { segments: [talk("A", 5), talk("B", 10)], after_segment_id: first.toUpperCase() };
    const { preview, after } = await tools.commit("create_event_segment", { ...inserted, shift_following: true });
    const startsOf = (rows: Record<string, string>[]) => rows.map(({ title, start_time }) => [title, start_time]);
    expect(startsOf(after.segments)).toEqual(startsOf(preview.proposed.segments));
    expect(await stored()).toEqual([
      ...["Segment 0 18:00 10", "A 18:10 5", "B 18:15 10", "Segment 1 18:25 10", "Segment 2 18:35 10"],
    ]);
    await tools.commit("create_event_segment", { ...talk("C", 1), start_time: at("18:35"), shift_following: "true" });
    expect((await stored()).slice(-2)).toEqual(["C 18:35 1", "Segment 2 18:36 10"]);
    await tools.commit("create_event_segment", { ...talk("D", 1), after_segment_id: first });
    expect((await stored()).slice(1, 3)).toEqual(["A 18:10 5", "D 18:10 1"]);
  });

  it("is previewed again when the segment that it comes after has moved, and not when it comes last", async () => {
    const [first, , last] = fixture.segmentIds;
    const after = await tools.run("create_event_segment", { ...talk("A", 5), after_segment_id: first });
    const atTheEnd = await tools.run("create_event_segment", talk("B", 5));
    await tools.commit("update_event_segment", { segment_id: first, duration_minutes: 12 });
    await tools.commit("update_event_segment", { segment_id: last, duration_minutes: 12 });
    const late = { ...after.commit_with, reason: "for the test" };
    expect((await tools.refusal("create_event_segment", late)).code).toBe("version_conflict");
    await tools.run("create_event_segment", { ...atTheEnd.commit_with, reason: "for the test" });
    expect((await stored()).slice(-2)).toEqual(["Segment 2 18:20 12", "B 18:32 5"]);
  });

  it("is refused as a whole, and says which segment is wrong", async () => {
    const other = await createEventFixture(db);
    const cases: [object, string, string][] = [
      [{ segments: [] }, "invalid_input", "segments: expected 1 to 50 segments"],
      [{ segments: Array(51).fill(talk("A", 1)) }, "invalid_input", "segments: expected 1 to 50 segments"],
      [{ segments: [talk("A", 1), talk("", 1)] }, "invalid_input", "segments[1].title: expected a string that is not"],
      [{ segments: [talk("A", 0)] }, "invalid_input", "segments[0].duration_minutes: expected an integer"],
      [{ segments: [{ ...talk("A", 1), end: 1 }] }, "invalid_input", "segments[0].end: unknown field"],
      [{ segments: [talk("A", 1)], title: "B" }, "invalid_input", "segments: send segments or title, not both"],
      [{}, "invalid_input", "title: is required"],
      [{ title: "A" }, "invalid_input", "duration_minutes: is required: expected an integer from 1 to 10080"],
      [
        { ...talk("A", 1), start_time: at("18:00"), after_segment_id: fixture.segmentIds[0] },
        "invalid_input",
        "after_segment_id: send it or the start_time",
      ],
      [{ ...talk("A", 1), after_segment_id: other.segmentIds[0] }, "not_found", other.segmentIds[0]],
      [{ segments: [talk("A", 1, { speaker_ids: other.speakerIds })] }, "invalid_input", other.speakerIds[2]],
    ];
    for (const [args, code, message] of cases) {
      const error = await tools.refusal("create_event_segment", args);
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    }
    await db.query(sql`
      insert into segments (event_id, title, start_time, duration_minutes)
      select ${fixture.eventId}, 'Filler', '2031-05-01T12:00Z', 1 from generate_series(1, 450)`);
    const full = await tools.refusal("create_event_segment", { segments: Array(48).fill(talk("A", 1)) });
    expect(full.message).toContain(
      "has at most 500 segments, and this one has 453. Nothing was changed. Add at most 47",
    );
  });
});

describe("update_event_segment with several segments", () => {
  it("changes different fields of each, and nothing else", async () => {
    const [first, second, third] = fixture.segmentIds;
    await db.query(sql`update segments set notes = 'Crew', location = 'Stage' where event_id = ${fixture.eventId}`);
    const segments = [
      { segment_id: third, start_time: at("17:00"), location: null },
      { segment_id: first, title: "Opening", notes: null, speaker_ids: [fixture.speakerIds[2]] },
    ];
    const { preview, after } = await tools.commit("update_event_segment", { segments });
    expect(preview.current).toEqual({
      segments: [
        { id: third, title: "Segment 2", start_time: at("18:20"), location: "Stage" },
        { id: first, title: "Segment 0", notes: "Crew", speakers: [{ id: fixture.speakerIds[0], name: "Speaker 0" }] },
      ],
    });
    expect(after).toEqual(preview.proposed);
    const { segments: shown } = await tools.run("get_event_run_of_show");
    expect(shown).toMatchObject([
      { id: third, location: null, notes: "Crew", start_time: at("17:00") },
      { id: first, title: "Opening", location: "Stage", notes: null, speaker_ids: [fixture.speakerIds[2]] },
      { id: second, location: "Stage", notes: "Crew", start_time: at("18:10") },
    ]);
  });

  it("shift_following moves what starts after the end of a changed segment, gaps included", async () => {
    const [first, second, third] = fixture.segmentIds;
    await tools.commit("update_event_segment", { segment_id: third, start_time: at("19:00") });
    const longer = { segment_id: first, duration_minutes: 25, shift_following: true };
    const { preview, after } = await tools.commit("update_event_segment", longer);
    expect(preview.current.segments[0]).toEqual({
      id: first,
      title: "Segment 0",
      start_time: at("18:00"),
      duration_minutes: 10,
    });
    expect(after).toEqual(preview.proposed);
    expect(await stored()).toEqual(["Segment 0 18:00 25", "Segment 1 18:25 10", "Segment 2 19:15 10"]);
    const both = [
      { segment_id: second, duration_minutes: 20 },
      { segment_id: first, duration_minutes: 20 },
    ];
    await tools.commit("update_event_segment", { segments: both, shift_following: true });
    expect(await stored()).toEqual(["Segment 0 18:00 20", "Segment 1 18:20 20", "Segment 2 19:20 10"]);
    // Earlier than another segment: that one was not over before, so it stays.
    const back = { segment_id: second, start_time: at("17:00"), shift_following: true };
    const moved = await tools.commit("update_event_segment", back);
    expect(moved.after.segments[1]).toEqual({ id: third, title: "Segment 2", start_time: at("18:00") });
    expect(await stored()).toEqual(["Segment 1 17:00 20", "Segment 0 18:00 20", "Segment 2 18:00 10"]);
  });

  it("shift_all_minutes moves the whole run of show, there and back", async () => {
    const { preview, after } = await tools.commit("update_event_segment", { shift_all_minutes: 90 });
    expect(preview.proposed.segments[0]).toEqual({
      id: fixture.segmentIds[0],
      title: "Segment 0",
      start_time: at("19:30"),
    });
    expect(after).toEqual(preview.proposed);
    expect(await stored()).toEqual(["Segment 0 19:30 10", "Segment 1 19:40 10", "Segment 2 19:50 10"]);
    await tools.commit("update_event_segment", { shift_all_minutes: -90 });
    expect(await stored()).toEqual(untouched);
    expect(changesOf(await tools.run("update_event_segment", { shift_all_minutes: 0 }))).toEqual([]);
  });

  it("is refused as a whole, and names every offending segment", async () => {
    const [first] = fixture.segmentIds;
    const [theirs] = (await createEventFixture(db)).segmentIds;
    const stranger = randomUUID();
    const cases: [object, string, string][] = [
      [
        { segments: [first, theirs, stranger].map((segment_id) => ({ segment_id, title: "Taken" })) },
        "not_found",
        `No segments of this event: ${theirs}, ${stranger}`,
      ],
      [
        { segments: [{ segment_id: first }, { segment_id: first.toUpperCase(), title: "A" }] },
        "invalid_input",
        `segments: expected each segment once; repeated: ${first}`,
      ],
      [{ segment_id: first, segments: [{ segment_id: first }] }, "invalid_input", "send segments or segment_id, not"],
      [{ shift_all_minutes: 5, segment_id: first }, "invalid_input", "send it alone, without segment_id"],
      [{ shift_all_minutes: 10_081 }, "invalid_input", "shift_all_minutes: expected an integer from -10080 to 10080"],
      [{ title: "A" }, "invalid_input", "segment_id: is required: expected a uuid: use an id from get_event_run"],
      [{}, "invalid_input", "segment_id: is required"],
    ];
    for (const [args, code, message] of cases) {
      const error = await tools.refusal("update_event_segment", args);
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    }
    expect(await stored()).toEqual(untouched);
  });
});

describe("remove_event_segment", () => {
  it("removes segments, and keeps the times of the others", async () => {
    const [first, second] = fixture.segmentIds;
    const segment_ids = [second, first.toUpperCase()];
    const { preview, after } = await tools.commit("remove_event_segment", { segment_ids });
    expect(preview.current.segments).toMatchObject([
      { id: first, speakers: [{ id: fixture.speakerIds[0], name: "Speaker 0" }], notes: null, kind: "talk" },
      { id: second, title: "Segment 1", speakers: [] },
      { title: "Segment 2", start_time: at("18:20") },
    ]);
    expect(preview.proposed.segments).toMatchObject([{ title: "Segment 2", start_time: at("18:20") }]);
    expect(after).toEqual(preview.proposed);
    expect(await stored()).toEqual(["Segment 2 18:20 10"]);
  });

  it("shift_following closes the room that they leave", async () => {
    await tools.commit("create_event_segment", talk("Parallel", 30, { start_time: at("18:00") }));
    const [first, second] = fixture.segmentIds;
    const args = { segment_ids: [first, second], shift_following: true };
    const { preview, after } = await tools.commit("remove_event_segment", args);
    expect(after).toEqual(preview.proposed);
    expect(await stored()).toEqual(["Parallel 18:00 30", "Segment 2 18:00 10"]);
  });

  it("refuses segments of other events and an empty list", async () => {
    const [theirs] = (await createEventFixture(db)).segmentIds;
    const foreign = await tools.refusal("remove_event_segment", { segment_ids: [fixture.segmentIds[0], theirs] });
    expect(foreign).toMatchObject({ code: "not_found", message: expect.stringContaining(theirs) });
    expect((await tools.refusal("remove_event_segment", { segment_ids: [] })).message).toContain(
      "expected 1 to 50 ids",
    );
    expect(await stored()).toEqual(untouched);
  });

  it("of the same segment twice: the second commit is stale", async () => {
    const args = { segment_ids: [fixture.segmentIds[0]] };
    const [a, b] = [await tools.run("remove_event_segment", args), await tools.run("remove_event_segment", args)];
    await tools.run("remove_event_segment", commitOf(a));
    expect((await tools.refusal("remove_event_segment", commitOf(b))).code).toBe("version_conflict");
    expect((await tools.refusal("remove_event_segment", args)).code).toBe("not_found");
  });
});

describe("update_event_details with move_run_of_show", () => {
  it("moves the run of show by as much as the start, across a change of the clock", async () => {
    const moved = { start_time: "2031-11-01T19:00:00Z", end_time: "2031-11-01T21:00:00Z", move_run_of_show: true };
    const { preview, after } = await tools.commit("update_event_details", moved);
    expect(preview.current.segments).toHaveLength(3);
    expect(after).toEqual(preview.proposed);
    expect(after.segments[0]).toMatchObject({ title: "Segment 0", start_time: "2031-11-01T19:00:00.000Z" });
    expect(await stored()).toEqual(["Segment 0 19:00 10", "Segment 1 19:10 10", "Segment 2 19:20 10"]);
  });

  it("keeps the run of show without it, and needs a new start", async () => {
    const end_time = at("23:00");
    await tools.commit("update_event_details", { start_time: at("19:00"), end_time, move_run_of_show: "false" });
    expect(await stored()).toEqual(untouched);
    const alone = await tools.refusal("update_event_details", { move_run_of_show: true });
    expect(alone.message).toContain("Send at least one field to change");
    const without = await tools.refusal("update_event_details", { venue: "Hall", move_run_of_show: true });
    expect(without.message).toContain("move_run_of_show: send it with a new start_time");
  });

  it("is stale once a segment has moved", async () => {
    const args = { start_time: at("17:00"), move_run_of_show: true };
    const preview = await tools.run("update_event_details", args);
    await tools.commit("update_event_segment", { segment_id: fixture.segmentIds[0], start_time: at("17:55") });
    expect((await tools.refusal("update_event_details", commitOf(preview))).code).toBe("version_conflict");
  });
});

it("ten insertions at their own times at once: all happen, and positions stay gapless", async () => {
  const previews = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      tools.run("create_event_segment", {
        segments: [talk(`A${n}`, 1, { start_time: at("17:00") }), talk(`B${n}`, 1)],
      }),
    ),
  );
  await Promise.all(previews.map((preview) => tools.run("create_event_segment", commitOf(preview))));
  expect(await stored()).toHaveLength(23);
});
