import { afterEach, expect, it, vi } from "vitest";
import { stepPrinter } from "./output.js";

const { isTTY } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

it("prints steps as lines on a terminal, and leaves them to the log elsewhere", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  process.stderr.isTTY = true;
  stepPrinter()?.("creating the database");
  expect(write.mock.calls).toEqual([["creating the database …\n"]]);
  process.stderr.isTTY = false;
  expect(stepPrinter()).toBeUndefined();
});
