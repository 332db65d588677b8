import stringWidth from "string-width";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { printTable, type TableOptions } from "./table.js";

const { columns } = process.stdout;
let text = "";
beforeEach(() => {
  text = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.columns = columns;
});

function linesOf(rows: Record<string, string>[], options?: TableOptions, terminal?: number): string[] {
  process.stdout.columns = terminal as number;
  text = "";
  printTable(rows, options);
  return text.trimEnd().split("\n");
}

const widest = (lines: string[]) => Math.max(...lines.map((line) => stringWidth(line)));

it("leaves a table alone that fits", () => {
  expect(linesOf([{ key: "svc_mk_1", last_used: "never" }])).toEqual(["KEY       LAST USED", "svc_mk_1  never"]);
});

it("shortens the chosen columns to fit 100, or the terminal", () => {
  const row = { email: "a".repeat(40), name: "n".repeat(60), organizations: "o".repeat(90), keys: "3" };
  const options = { shorten: ["name", "organizations"] };
  for (const [terminal, width] of [
    [undefined, 100],
    [120, 120],
    [40, 80],
  ] as const) {
    const lines = linesOf([row], options, terminal);
    expect(widest(lines)).toBe(width);
    expect(lines[1]).toMatch(/^a{40} {2}n+… {2}o+… {2}3$/);
  }
  expect(widest(linesOf([row], options, 300))).toBe(40 + 60 + 90 + 4 + 6);
});

it("shortens the others too if that is not enough, and counts wide characters", () => {
  const lines = linesOf([{ email: `${"e".repeat(240)}@example.com`, name: "会".repeat(50) }], { shorten: ["name"] });
  expect(widest(lines)).toBeLessThanOrEqual(100);
  expect(lines[1]).toMatch(/^e{85}… {2}会{5}…$/);
});
