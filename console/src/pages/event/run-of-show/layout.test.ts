import { describe, expect, it } from "vitest";
import { lanesOf, stack } from "./layout.ts";
import { at, evening, minutes, plan, range, segment } from "./test-segments.ts";

describe("gaps", () => {
  it("are between segments, and between them and the event's start and end", () => {
    const { gaps } = plan([segment("a", "18:10", 10), segment("b", "18:35", 25)]);
    expect(gaps).toEqual([
      { kind: "before", ...range("18:00", "18:10") },
      { kind: "between", ...range("18:20", "18:35") },
      { kind: "after", ...range("19:00", "20:00") },
    ]);
  });

  it("are not seen behind a short segment within a long one", () => {
    const { gaps } = plan([segment("long", "18:00", 120), segment("short", "18:10", 5), segment("late", "19:00", 10)]);
    expect(gaps).toEqual([]);
  });

  it("need a segment: an empty plan is not a gap", () => {
    expect(plan([]).gaps).toEqual([]);
  });

  it("are not counted outside of the event", () => {
    expect(plan([segment("a", "17:00", 240)]).gaps).toEqual([]);
  });
});

describe("overlaps", () => {
  it("are one for all that run into each other", () => {
    const { overlaps } = plan([segment("a", "18:00", 30), segment("b", "18:20", 30), segment("c", "18:25", 10)]);
    expect(overlaps).toEqual([{ ...range("18:20", "18:35"), ids: ["a", "b", "c"] }]);
  });

  it("are two when there is time between them", () => {
    const segments = [segment("long", "18:00", 60), segment("b", "18:10", 5), segment("c", "18:50", 30)];
    expect(plan(segments).overlaps).toEqual([
      { ...range("18:10", "18:15"), ids: ["long", "b"] },
      { ...range("18:50", "19:00"), ids: ["long", "c"] },
    ]);
  });

  it("are none back to back, in whatever order the segments come", () => {
    expect(plan([segment("b", "18:10", 10), segment("a", "18:00", 10)]).overlaps).toEqual([]);
  });

  it("say for each segment with what and for how long", () => {
    const { problems } = plan([segment("a", "18:00", 30), segment("b", "18:20", 30)]);
    expect(problems.get("a")?.overlaps).toEqual([{ id: "b", ms: minutes(10) }]);
    expect(problems.get("b")?.overlaps).toEqual([{ id: "a", ms: minutes(10) }]);
  });

  it("are one among 500 segments at once", () => {
    const segments = Array.from({ length: 500 }, (_, index) =>
      segment(`s${index}`, "18:00", 60, { speaker_ids: ["ana"] }),
    );
    const { overlaps, clashes } = plan(segments);
    expect(overlaps).toHaveLength(1);
    expect(clashes[0]?.ids).toHaveLength(500);
  });
});

describe("clashes", () => {
  const ana = { speaker_ids: ["ana"] };

  it("are overlaps of segments of the same speaker", () => {
    const segments = [segment("a", "18:00", 30, ana), segment("b", "18:20", 30, ana), segment("c", "18:20", 30)];
    const { clashes, problems } = plan(segments);
    expect(clashes).toEqual([{ speakerId: "ana", ...range("18:20", "18:30"), ids: ["a", "b"] }]);
    expect(problems.get("a")?.clashes).toEqual([{ id: "b", speakerId: "ana" }]);
    expect(problems.get("c")?.clashes).toEqual([]);
  });

  it("are by start, whoever is in them", () => {
    const [one, both] = [{ speaker_ids: ["ben"] }, { speaker_ids: ["ana", "ben"] }];
    const segments = [
      ...[segment("a", "18:00", 20, both), segment("b", "18:10", 10, one)],
      ...[segment("c", "19:00", 20, both), segment("d", "19:10", 10, ana)],
    ];
    expect(plan(segments).clashes.map(({ speakerId, from }) => [speakerId, from])).toEqual([
      ["ben", at("18:10")],
      ["ana", at("19:10")],
    ]);
  });

  it("are none when a speaker goes from one segment to the next", () => {
    expect(plan([segment("a", "18:00", 30, ana), segment("b", "18:30", 30, ana)]).clashes).toEqual([]);
  });

  it("follow a move that is not saved yet", () => {
    const segments = [segment("a", "18:00", 30, ana), segment("b", "19:00", 30, ana)];
    expect(plan(segments).clashes).toHaveLength(0);
    expect(plan(segments, [["b", { start: at("18:15"), minutes: 30 }]]).clashes).toHaveLength(1);
  });
});

it("places segments by start and then by end, and marks those that were moved", () => {
  const segments = [segment("c", "18:10", 20), segment("b", "18:10", 10), segment("a", "19:00", 10)];
  const { placed, byId } = plan(segments, [
    ["a", { start: at("18:00"), minutes: 10 }],
    ["b", { start: at("18:10"), minutes: 10 }],
  ]);
  expect(placed.map(({ id, isMoved }) => [id, isMoved])).toEqual([
    ["a", true],
    ["b", false],
    ["c", false],
  ]);
  expect(byId.get("a")).toMatchObject({ start: at("18:00"), end: at("18:10") });
});

describe("the event's time", () => {
  it.each([
    ["inside", segment("a", "18:00", 120), 0, 0],
    ["early", segment("a", "17:45", 30), 15, 0],
    ["late", segment("a", "19:50", 30), 0, 20],
    ["around it", segment("a", "17:00", 240), 60, 60],
    ["before it", segment("a", "17:00", 20), 20, 0],
    ["after it", segment("a", "21:00", 20), 0, 20],
  ])("marks a segment that is %s", (_, item, early, late) => {
    expect(plan([item]).problems.get("a")).toMatchObject({ earlyMs: minutes(early), lateMs: minutes(late) });
  });
});

describe("lanes", () => {
  const laneOf = (segments: Parameters<typeof plan>[0], minimumMs = 0) =>
    Object.fromEntries(
      [...lanesOf(plan(segments).placed, minimumMs)].map(([id, { lane, lanes }]) => [id, `${lane}/${lanes}`]),
    );

  it("are one for segments that follow each other", () => {
    expect(laneOf([segment("a", "18:00", 10), segment("b", "18:10", 10)])).toEqual({ a: "0/1", b: "0/1" });
  });

  it("are shared by all that are connected, and used again when free", () => {
    const segments = [
      ...[segment("a", "18:00", 60), segment("b", "18:00", 20), segment("c", "18:20", 20)],
      segment("d", "19:00", 10),
    ];
    expect(laneOf(segments)).toEqual({ a: "1/2", b: "0/2", c: "0/2", d: "0/1" });
  });

  it("are different for segments that are too short to be drawn under each other", () => {
    const segments = [segment("a", "18:00", 1), segment("b", "18:01", 30)];
    expect(laneOf(segments)).toEqual({ a: "0/1", b: "0/1" });
    expect(laneOf(segments, minutes(5))).toEqual({ a: "0/2", b: "1/2" });
  });

  it("never let two segments of one lane meet", () => {
    const segments = Array.from({ length: 60 }, (_, n) => segment(`s${n}`, "18:00", 5 + ((n * 7) % 40)));
    const shifted = segments.map(
      (item, n) => [item.id, { start: at("18:00") + minutes((n * 11) % 90), minutes: item.duration_minutes }] as const,
    );
    const { placed } = plan(
      segments,
      shifted.map(([id, move]) => [id, move]),
    );
    const lanes = lanesOf(placed);
    for (const one of placed) {
      for (const other of placed) {
        if (one.id === other.id || one.start >= other.end || other.start >= one.end) continue;
        expect(lanes.get(one.id)?.lane).not.toBe(lanes.get(other.id)?.lane);
      }
    }
  });
});

it("puts notes that do not fit beside each other below each other", () => {
  expect(
    stack([
      { top: 0, height: 40 },
      { top: 20, height: 20 },
      { top: 100, height: 20 },
    ]),
  ).toEqual([0, 40, 100]);
});

it("keeps the window of the event in the plan", () => {
  expect(plan([]).window).toEqual(evening);
});
