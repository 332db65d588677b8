import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createObservation, observe } from "./observation.js";

it("counts the time of statements that run at once once", async () => {
  const observation = createObservation(null);
  const startedAt = performance.now();
  const statement = () => observe(observation, "database", "select", () => sleep(20));
  await Promise.all([statement(), statement(), statement()]);
  await statement();
  expect(observation.databaseMs).toBeGreaterThanOrEqual(38);
  expect(observation.databaseMs).toBeLessThanOrEqual(performance.now() - startedAt);
});
