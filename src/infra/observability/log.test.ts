import { pino } from "pino";
import { expect, it } from "vitest";
import { timeInLog } from "./log.js";

it("writes times as numbers with two decimals", () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  log.info({ ms: timeInLog(12.3456), none: timeInLog(0) }, "request");
  expect(lines).toEqual(['{"level":30,"ms":12.35,"none":0,"msg":"request"}\n']);
});
