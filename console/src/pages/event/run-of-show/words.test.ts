import { describe, expect, it } from "vitest";
import { at, plan, segment } from "./test-segments.ts";
import { clockRange, problemsInWords, segmentInWords } from "./words.ts";

const names = new Map([
  ["ana", "Ana Silva"],
  ["ben", "Ben Okri"],
  ["cem", "Cem Kaya"],
  ["dia", "Dia Rao"],
  ["eva", "Eva Lind"],
]);
const problemsOf = (show: ReturnType<typeof plan>, id: string) => problemsInWords(show, id, names);

describe("the times of a segment", () => {
  it("are on the clock of the zone", () => {
    expect(clockRange({ start: at("18:00"), end: at("18:30") }, "Europe/Lisbon")).toBe("19:00–19:30");
  });

  it("name the last day where that is another one in the zone", () => {
    const late = { start: at("22:30"), end: at("23:30") };
    expect(clockRange(late, "UTC")).toBe("22:30–23:30");
    expect(clockRange(late, "Europe/Lisbon")).toBe("23:30–00:30 (Fri 2 May 2031)");
  });
});

describe("problems in words", () => {
  it("are none for a segment that is fine", () => {
    expect(problemsOf(plan([segment("a", "18:00", 10)]), "a")).toEqual([]);
    expect(problemsOf(plan([]), "a")).toEqual([]);
  });

  it("begin with the worst", () => {
    const ana = { speaker_ids: ["ana"] };
    const show = plan([segment("a", "17:40", 30, ana), segment("b", "18:00", 150, ana)]);
    expect(problemsOf(show, "a")).toEqual([
      { kind: "clash", short: "Ana Silva also elsewhere", long: "Ana Silva is in b at the same time" },
      { kind: "overlap", short: "Overlap 10 min", long: "Overlaps 10 min with b" },
      { kind: "outside", short: "20 min before the start", long: "20 min before the start of the event" },
    ]);
    expect(problemsOf(show, "b").at(-1)?.long).toBe("30 min after the end of the event");
  });

  it("say both ends of a segment that is longer than the event", () => {
    const [problem] = problemsOf(plan([segment("a", "17:00", 270)]), "a");
    expect(problem?.short).toBe("1 h before the start and 1 h 30 min after the end");
  });

  it("say the longest overlap, and name each other segment once", () => {
    const both = { speaker_ids: ["ana", "ben"] };
    const show = plan([segment("a", "18:00", 60, both), segment("b", "18:10", 5, both), segment("c", "18:30", 20)]);
    expect(problemsOf(show, "a").map(({ long }) => long)).toEqual([
      "Ana Silva and Ben Okri are in b at the same time",
      "Overlaps 20 min with b and c",
    ]);
  });

  it("name three, and count the others", () => {
    const all = { speaker_ids: [...names.keys()] };
    const show = plan([segment("a", "18:00", 60, all), segment("b", "18:00", 70, all)]);
    expect(problemsOf(show, "a")[0]?.short).toBe("Ana Silva, Ben Okri, Cem Kaya and 2 others also elsewhere");
    const three = { speaker_ids: [...names.keys()].slice(0, 3) };
    const fewer = plan([segment("a", "18:00", 60, three), segment("b", "18:00", 70, three)]);
    expect(problemsOf(fewer, "a")[0]?.short).toBe("Ana Silva, Ben Okri and Cem Kaya also elsewhere");
  });
});

describe("a segment in words", () => {
  const wordsOf = (show: ReturnType<typeof plan>) =>
    show.placed.map((placed) => segmentInWords(show, placed, names, "Europe/Lisbon"));

  it("has all that is known, on the clock of the zone", () => {
    const full = { title: "Opening", kind: "panel", location: "Stage", speaker_ids: ["ben", "gone"] } as const;
    expect(wordsOf(plan([segment("a", "18:00", 90, { ...full, speaker_ids: [...full.speaker_ids] })]))).toEqual([
      "Opening, panel, 19:00 to 20:30, 1 h 30 min, Stage, Ben Okri, Unknown speaker.",
    ]);
  });

  it("says what is wrong, and what is not saved", () => {
    const segments = [segment("a", "18:00", 10), segment("b", "19:00", 10)];
    expect(wordsOf(plan(segments, [["b", { start: at("18:05"), minutes: 10 }]]))).toEqual([
      "a, talk, 19:00 to 19:10, 10 min. Overlaps 5 min with b.",
      "b, talk, 19:05 to 19:15, 10 min. Overlaps 5 min with a. Not saved yet.",
    ]);
  });
});
