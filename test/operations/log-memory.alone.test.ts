import { getHeapSpaceStatistics } from "node:v8";
import { pino } from "pino";
import { expect, it } from "vitest";
import { timeInLog } from "../../src/infra/observability/log.js";

it("a time in a line of the log leaves nothing in memory", () => {
  const log = pino({ base: null }, { write: () => {} });
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")?.space_used_size;
  const logMany = (lines: number) => {
    for (let i = 0; i < lines; i += 1) log.info({ ms: timeInLog(Math.random() * 100) }, "request");
  };
  logMany(25_000);
  const before = oldBytes() ?? 0;
  const lines = 100_000;
  logMany(lines);
  // The text of a converted number takes 24.
  expect(((oldBytes() ?? Number.NaN) - before) / lines).toBeLessThan(12);
});
