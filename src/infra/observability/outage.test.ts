import { expect, it } from "vitest";
import { createMemoryLog } from "../../../test/support/memory-log.js";
import { createOutage } from "./outage.js";

it("is one line when it starts and one when it has ended, whatever fails in between", () => {
  const { log, lines } = createMemoryLog();
  let now = 0;
  const outage = createOutage(log, "database", { now: () => now });
  outage.succeeded();
  expect([lines(), outage.available()]).toEqual([[], true]);
  for (; now < 10_000; now += 100) {
    outage.failed(new Error(`failure at ${now}`));
    outage.succeeded();
  }
  expect(outage.available()).toBe(false);
  expect(lines()).toMatchObject([
    { level: 40, dependency: "database", reason: "failure at 0", msg: "the database is unavailable" },
  ]);
  now += 5_000;
  outage.succeeded();
  outage.succeeded();
  expect(outage.available()).toBe(true);
  expect(lines().slice(1)).toMatchObject([
    { level: 30, dependency: "database", duration_ms: 15_000, failures: 100, msg: "the database is available again" },
  ]);
});
