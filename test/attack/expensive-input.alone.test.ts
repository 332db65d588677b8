import { describe, expect, it } from "vitest";
import { kibibyte, shapes, useExpensiveTargets } from "./expensive-input-cases.js";

/** What it costs to refuse input, compared with an accepted request of the same size in the same run. */

const { targets } = useExpensiveTargets();

/** CPU time of a request in this process, which is client and server; the least of some, because others use the machine. */
async function cpuOf(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    await request();
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
}

describe.each(targets)("%s", (_name, { limitBytes, send, accepted }) => {
  it.each(Object.entries(shapes))("of %s costs about as much as an accepted request", async (_shape, make) => {
    const value = make(limitBytes - kibibyte);
    expect(await cpuOf(() => send(value))).toBeLessThan(15 * (await cpuOf(accepted)));
  });
});
