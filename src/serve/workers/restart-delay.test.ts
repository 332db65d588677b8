import { expect, it } from "vitest";
import { restartDelayMs } from "./restart-delay.js";

it("doubles up to half a minute, and is never zero", () => {
  expect([0, 1, 2, 3, 7, 8, 9, 10, 10_000].map(restartDelayMs)).toEqual([
    ...[100, 200, 400, 800, 12_800],
    ...[25_600, 30_000, 30_000, 30_000],
  ]);
});
