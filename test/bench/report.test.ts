import { describe, expect, it } from "vitest";
import { allMet, formatTable, goalText, meets, type Result, verdictOf } from "../../bench/support/report.js";

const row = { id: "page", name: "page of 50 events", reference: "bare node:http", goal: { atLeast: 0.5 } };
const figures = { perSecond: 12_345.6, cpuMicrosPerRequest: 61.4, p50Ms: 4 };

function measured(value: number, goal: Result["row"]["goal"] = row.goal): Result {
  const outcome = { value, low: value - 0.1, high: value + 0.1, subject: figures, reference: figures, rounds: [] };
  return { row: { ...row, goal }, kind: "measured", outcome };
}

describe("a goal", () => {
  it("is met at its value, and missed beyond it", () => {
    expect(meets({ atLeast: 0.5 }, 0.5)).toBe(true);
    expect(meets({ atLeast: 0.5 }, 0.499)).toBe(false);
    expect(meets({ atMost: 1.15 }, 1.15)).toBe(true);
    expect(meets({ atMost: 1.15 }, 1.151)).toBe(false);
  });

  it("is missed by what is not a finite number", () => {
    expect(meets({ atLeast: 0 }, Number.NaN)).toBe(false);
    expect(meets({ atLeast: 0 }, Infinity)).toBe(false);
    expect(meets({ atMost: 300 }, -Infinity)).toBe(false);
  });

  it("is shown with its unit", () => {
    expect(goalText({ atLeast: 0.8 })).toBe("≥ 0.80");
    expect(goalText({ atMost: 300, unit: "MB" })).toBe("≤ 300 MB");
  });
});

describe("a run", () => {
  const failed: Result = { row, kind: "failed", error: "expected 200, but got 503" };
  const leftOut: Result = { row, kind: "left out", why: "takes 10 minutes: run without --quick" };

  it("succeeds if every measured row meets its goal", () => {
    expect(allMet([measured(0.5), leftOut])).toBe(true);
    expect(allMet([measured(0.5), measured(0.49)])).toBe(false);
    expect(allMet([measured(0.5), failed])).toBe(false);
  });

  it("shows rows that failed or were left out, and says why", () => {
    expect([measured(0.6), measured(0.4), failed, leftOut].map(verdictOf)).toEqual([
      "ok",
      "MISSED",
      "FAILED",
      "left out",
    ]);
    const table = formatTable([failed, leftOut]);
    expect(table).toContain("page: failed: expected 200, but got 503");
    expect(table).toContain("page: left out: takes 10 minutes: run without --quick");
  });
});

describe("the table", () => {
  const lines = formatTable([measured(0.614), measured(1.2, { atMost: 300, unit: "MB" })]).split("\n");

  it("has one line per row, below headings", () => {
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(
      /^page of 50 events +bare node:http +0\.61 +0\.51 to 0\.71 +≥ 0\.50 +ok +12,346 +61 +12,346 +61$/,
    );
    expect(lines[3]).toMatch(/ 1\.20 MB +1\.10 to 1\.30 +≤ 300 MB +ok /);
  });

  it("is aligned", () => {
    const [head = "", , first = ""] = lines;
    expect(first.indexOf("bare node:http")).toBe(head.indexOf("Reference"));
    expect(first.indexOf("ok")).toBe(head.indexOf("Verdict"));
  });

  it("shows CPU time that is not known as such", () => {
    const outcome = { value: 1, low: 1, high: 1, rounds: [], reference: null };
    const unknown = { ...outcome, subject: { ...figures, cpuMicrosPerRequest: null } };
    expect(formatTable([{ row, kind: "measured", outcome: unknown }])).toMatch(/12,346 +–$/m);
  });

  it("adds the notes of measured rows", () => {
    const result = measured(1);
    if (result.kind === "measured") result.outcome.note = "100,000 events";
    expect(formatTable([result])).toMatch(/\n\npage: 100,000 events$/);
  });
});
