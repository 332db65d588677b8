import { authorization, baseData, connections, keyVariants, withKey } from "../support/base.js";
import { loadOn } from "../support/load.js";
import { residentMegabytes } from "../support/process-usage.js";
import { planRequest } from "../support/request-plan.js";
import { type Bench, compareSides, cpuOf, type Outcome, type RowGroup } from "../support/row.js";
import { startService } from "../support/service.js";

const workers = 4;
const earlySeconds = 60;
const lateSeconds = 600;
const memoryIsLeftOut = `takes ${lateSeconds / 60} minutes: run without --quick`;

/** What a machine holds: workers, and the memory of a process that has seen many keys. */
export const processRows: RowGroup = [
  {
    id: "workers",
    name: `CPU per request, ${workers} workers`,
    reference: "1 worker",
    goal: { atMost: 1.15 },
    async run(bench) {
      const { databaseUrl, eventsPath } = await baseData(bench);
      // Workers share their limits in Redis.
      const environment = { REDIS_URL: bench.redisUrl };
      const subject = await startService(databaseUrl, { environment, args: ["--workers", String(workers)] });
      const reference = await startService(databaseUrl, { environment });
      const requests = [withKey({ path: eventsPath })];
      // Each worker compiles for itself.
      const schedule = { ...bench.schedule, warmUpMs: bench.schedule.warmUpMs * workers };
      return compareSides(
        { ...bench, schedule },
        // As many for each worker: a look-up is shared by the requests that a process has at the same time.
        loadOn(subject, connections * workers, requests),
        loadOn(reference, connections, requests),
        cpuOf,
      );
    },
  },
  {
    id: "memory",
    name: "memory after 10 min, 100,000 keys",
    reference: "after 1 min",
    goal: { atMost: 1.1 },
    async run(bench) {
      if (bench.quick) return memoryIsLeftOut;
      const { early, late, outcome } = await measureMemory(bench);
      const grown = late / early;
      return { ...outcome, value: grown, low: grown, high: grown };
    },
  },
  {
    id: "memory-size",
    name: "memory of the process, the same load",
    reference: "",
    goal: { atMost: 300, unit: "MB" },
    async run(bench) {
      if (bench.quick) return memoryIsLeftOut;
      const { late, outcome } = await measureMemory(bench);
      return { ...outcome, value: late };
    },
  },
];

type Memory = { early: number; late: number; outcome: Outcome };

function measureMemory(bench: Bench): Promise<Memory> {
  return bench.once("memory", async () => {
    const { databaseUrl, eventsPath, keyCount } = await baseData(bench);
    const service = await startService(databaseUrl);
    const request = planRequest({ path: eventsPath, headers: authorization, variants: keyVariants(keyCount) });
    const load = loadOn(service, connections, [request]);
    const startedAt = performance.now();
    const samples: MemorySample[] = [];
    const timer = setInterval(() => {
      const megabytes = Math.max(...residentMegabytes(service.pid));
      samples.push({ second: (performance.now() - startedAt) / 1_000, megabytes });
    }, 1_000);
    const figures = await load.measure((lateSeconds + 1) * 1_000).finally(() => clearInterval(timer));
    const [early, late] = [peakBefore(samples, earlySeconds), peakBefore(samples, lateSeconds)];
    const all = samples.map(({ megabytes }) => megabytes);
    const summary = { value: late, low: Math.min(...all), high: Math.max(...all) };
    return { early, late, outcome: { ...summary, subject: figures, reference: null, rounds: { samples, figures } } };
  });
}

type MemorySample = { second: number; megabytes: number };

/** The largest resident size in the ten seconds before: garbage comes and goes. */
function peakBefore(samples: MemorySample[], second: number): number {
  const recent = samples.filter((sample) => sample.second > second - 10 && sample.second <= second);
  if (recent.length === 0)
    throw new Error(`the memory was not measured around second ${second}: the machine is too busy`);
  return Math.max(...recent.map(({ megabytes }) => megabytes));
}
