import { expect, it } from "vitest";
import { defaultThreads } from "./poster-renderer.js";

it.each([
  ["one process on one core", 1, 1, 1],
  ["one process on two cores", 1, 2, 1],
  ["one process on many cores", 1, 16, 2],
  ["four processes on four cores", 4, 4, 1],
  ["four processes on eight cores", 4, 8, 1],
  ["four processes on nine cores", 4, 9, 2],
  ["four processes on many cores", 4, 64, 2],
])("%s draw with enough threads and not too many", (_what, processes, cores, threads) => {
  expect(defaultThreads(processes, cores)).toBe(threads);
});
