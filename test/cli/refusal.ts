import { expect } from "vitest";
import type { Finished } from "../support/svc.js";

/** Expects an error message on stderr without a stack trace, nothing on stdout, and the exit code. */
export function expectRefusal(result: Finished, code: 1 | 2, text: RegExp | string): void {
  expect(result.stderr).toMatch(text);
  expect(result.stderr).toMatch(/^svc: /);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(code === 2 ? 2 : 1);
  expect(result).toMatchObject({ code, stdout: "" });
}
