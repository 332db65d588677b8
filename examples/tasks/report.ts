import { isMet, type TaskOutcome } from "./run-task.js";

const headings = ["Task", "", "Calls", "Goal", "KB", "Goal", "Text KB", "Goal", "Image KB", ""];

export const explanation = `A call is a tools/call. KB (1,000 bytes) are responses as received: text, structured content and images (base64).
Text KB is what a model reads that is given the text only; Image KB are part of KB.`;

/** One table in plain text; what went wrong is explained below it. */
export function formatOutcomes(outcomes: TaskOutcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.id,
    outcome.title,
    String(outcome.calls),
    outcome.goal.calls === undefined ? "" : `≤ ${outcome.goal.calls}`,
    kilobytes(outcome.received),
    outcome.goal.bytes === undefined ? "" : `≤ ${outcome.goal.bytes / 1000}`,
    kilobytes(outcome.text),
    outcome.goal.textBytes === undefined ? "" : `≤ ${outcome.goal.textBytes / 1000}`,
    outcome.images === 0 ? "" : kilobytes(outcome.images),
    verdictOf(outcome),
  ]);
  const problems = outcomes.flatMap(({ id, problem }) => (problem === undefined ? [] : [`${id}: ${problem}`]));
  return [...alignColumns([headings, ...rows]), ...problems].join("\n");
}

export function verdictOf(outcome: TaskOutcome): string {
  if (outcome.problem !== undefined) return "FAILED";
  return isMet(outcome) ? "ok" : "MISSED";
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function alignColumns(rows: string[][]): string[] {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column > 1 && column < 9 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
