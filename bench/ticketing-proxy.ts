// Measures the latency that the ticketing proxy adds to a call of the platform, and whether its memory stays flat.
// Usage: npm run bench:ticketing [-- --requests 100000]   (creates a database on DATABASE_URL; embedded by default)
// The platform is the sandbox on loopback, called directly and through the proxy in alternating rounds, 50 requests in flight.
// The proxy's own limits on calls of the platform are raised.
import { parseArgs } from "node:util";
import { cleanUp, cleanUpOnSignals, onCleanUp } from "./support/clean-up.js";
import { createDatabase, dropDatasets } from "./support/dataset.js";
import type { Sample } from "./support/load.js";
import { stopProcesses } from "./support/process.js";
import { residentMegabytes } from "./support/process-usage.js";
import { stopServices } from "./support/service.js";
import { comparePairs, difference, median, summarize } from "./support/statistics.js";
import { createTicketingData, startTicketing, type TicketingData } from "./support/ticketing.js";

const { values } = parseArgs({ options: { requests: { type: "string", default: "100000" } } });
/** Average response times of the platform: a remote one, and 0 for full load, which has no target. */
const latenciesMs = [50, 0];
const rounds = 20;
const roundMs = 1_000;
/** Lets the JIT compile both code paths before they are measured. */
const warmUpMs = 8_000;
const targetMs = 1;
/** Allows for garbage not yet collected; a leak of 1 KB per request would add 100 MB. */
const allowedGrowth = 1.1;

cleanUpOnSignals();
onCleanUp(stopServices);
onCleanUp(stopProcesses);
onCleanUp(dropDatasets);
try {
  const data = await createTicketingData(process.env.DATABASE_URL ? await createDatabase() : "");
  const rows: Record<string, string>[] = [];
  for (const latencyMs of latenciesMs) rows.push(await measure(data, latencyMs));
  console.table(rows);
  await measureMemory(data);
} finally {
  await cleanUp();
}

async function measure(data: TicketingData, latencyMs: number): Promise<Record<string, string>> {
  const { direct, proxied, stop } = await startTicketing(data, latencyMs);
  await proxied.measure(warmUpMs);
  await direct.measure(warmUpMs);
  const samples: { direct: Sample[]; proxied: Sample[] } = { direct: [], proxied: [] };
  for (let round = 0; round < rounds; round += 1) {
    samples.proxied.push(await proxied.measure(roundMs));
    samples.direct.push(await direct.measure(roundMs));
  }
  await stop();
  const medianOf = (side: Sample[], figure: (sample: Sample) => number) => median(side.map(figure)).toFixed(2);
  const p50 = ({ p50Ms }: Sample) => p50Ms;
  const p99 = ({ p99Ms }: Sample) => p99Ms;
  const added = summarize(comparePairs(samples.proxied.map(p50), samples.direct.map(p50), difference));
  return {
    "platform response ms": String(latencyMs),
    "direct median ms": medianOf(samples.direct, p50),
    "proxied median ms": medianOf(samples.proxied, p50),
    "added ms": added.value.toFixed(2),
    "added, spread ms": `${added.low.toFixed(2)} to ${added.high.toFixed(2)}`,
    "direct p99 ms": medianOf(samples.direct, p99),
    "proxied p99 ms": medianOf(samples.proxied, p99),
    "proxied requests/s": String(Math.round(median(samples.proxied.map(({ perSecond }) => perSecond)))),
    verdict: latencyMs === 0 ? "at full load" : added.value <= targetMs ? "ok" : failSlow(),
  };
}

function failSlow(): string {
  process.exitCode = 1;
  return `TOO SLOW (target: ${targetMs} ms)`;
}

async function measureMemory(data: TicketingData): Promise<void> {
  const { proxied, pid, stop } = await startTicketing(data, 0);
  const total = Number(values.requests);
  const samples: number[] = [];
  for (let done = 0; done < total; ) {
    done += (await proxied.measure(roundMs)).perSecond * (roundMs / 1000);
    samples.push(Math.round(residentMegabytes(pid).reduce((sum, megabytes) => sum + megabytes, 0)));
  }
  await stop();
  const quarter = Math.ceil(samples.length / 4);
  const early = Math.max(...samples.slice(quarter, 2 * quarter));
  const late = Math.max(...samples.slice(-quarter));
  console.log(`resident memory over ${total} requests, MB: ${samples.join(" ")}`);
  const flat = late <= early * allowedGrowth;
  console.log(
    flat
      ? `flat: ${early} MB at most in the second quarter, ${late} MB in the last`
      : `GROWS: ${early} MB → ${late} MB`,
  );
  if (!flat) process.exitCode = 1;
}
