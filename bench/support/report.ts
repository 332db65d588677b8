import type { Figures, Goal, Outcome, Row } from "./row.js";

/** How a row ended. */
export type Result = { row: Omit<Row, "run"> } & (
  | { kind: "measured"; outcome: Outcome }
  | { kind: "left out"; why: string }
  | { kind: "failed"; error: string }
);

export function meets(goal: Goal, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** Whether the run ends with 0: rows that are left out do not count. */
export function allMet(results: Result[]): boolean {
  return results.every((result) => result.kind === "left out" || verdictOf(result) === "ok");
}

/** One table in plain text; what failed or was left out is explained below it. */
export function formatTable(results: Result[]): string {
  const lines = results.map((result) => {
    const { row } = result;
    const outcome = result.kind === "measured" ? result.outcome : undefined;
    const unit = row.goal.unit ?? "";
    return [
      row.name,
      row.reference,
      outcome === undefined ? "–" : withUnit(outcome.value, unit),
      outcome === undefined ? "" : `${figure(outcome.low)} to ${figure(outcome.high)}`,
      goalText(row.goal),
      verdictOf(result),
      ...figureCells(outcome?.subject),
      ...figureCells(outcome?.reference),
    ];
  });
  const notes = results.flatMap((result) => {
    const note = noteOf(result);
    return note === undefined ? [] : [`${result.row.id}: ${note}`];
  });
  return [...alignColumns([headings, ...lines]), ...(notes.length === 0 ? [] : ["", ...notes])].join("\n");
}

function noteOf(result: Result): string | undefined {
  if (result.kind === "measured") return result.outcome.note;
  return result.kind === "failed" ? `failed: ${result.error}` : `left out: ${result.why}`;
}

const headings = [
  ...["Row", "Reference", "Ratio", "Spread", "Goal", "Verdict"],
  ...["requests/s", "CPU µs", "reference requests/s", "CPU µs"],
];

/** Columns of numbers, and of what is compared with them. */
const rightAligned = new Set([2, 4, 6, 7, 8, 9]);

export function verdictOf(result: Result): string {
  if (result.kind !== "measured") return result.kind === "failed" ? "FAILED" : "left out";
  return meets(result.row.goal, result.outcome.value) ? "ok" : "MISSED";
}

export function goalText(goal: Goal): string {
  const [sign, value] = "atLeast" in goal ? ["≥", goal.atLeast] : ["≤", goal.atMost];
  return `${sign} ${withUnit(value, goal.unit ?? "")}`;
}

function figureCells(figures: Figures | null | undefined): string[] {
  if (figures === null || figures === undefined) return ["", ""];
  const { perSecond, cpuMicrosPerRequest: cpu } = figures;
  return [Math.round(perSecond).toLocaleString("en"), cpu === null ? "–" : String(Math.round(cpu))];
}

function withUnit(value: number, unit: string): string {
  return unit === "" ? figure(value) : `${figure(value)} ${unit}`;
}

/** Large figures need no decimals. */
function figure(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
}

function alignColumns(lines: string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const format = (line: string[]) =>
    widths
      .map((width, column) => (line[column] ?? "")[rightAligned.has(column) ? "padStart" : "padEnd"](width))
      .join("  ")
      .trimEnd();
  const [head = [], ...rest] = lines;
  return [format(head), widths.map((width) => "─".repeat(width)).join("  "), ...rest.map(format)];
}
