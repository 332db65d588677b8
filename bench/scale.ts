// Which reads take longer when there are a thousand times as many rows of everything?
// Usage: DATABASE_URL=postgres://… npm run bench:scale [-- --events 1000000]
// Creates two databases on that server, of 1,000 events and of the given number, and drops them at the end.
import { parseArgs } from "node:util";
import { dropDatasets } from "./support/dataset.js";
import { createScaleDataset, type ScaleDataset } from "./support/scale-dataset.js";
import { type ScaleRequest, scaleRequests } from "./support/scale-requests.js";
import { startService, stopServices } from "./support/service.js";

const { values } = parseArgs({ options: { events: { type: "string", default: "1000000" } } });
const rounds = 7;
/** How many times as long a read may take on the large data, unless it takes less than the limit below. */
const mostGrowth = 3;
const unnoticeableMs = 100;

/** Otherwise only the first of equal requests would read. */
const uncached = { environment: { CACHE_MB: "0" } };

type Measurement = { name: string; ms: number; bytes: number };

try {
  const small = await createScaleDataset(1_000);
  const large = await createScaleDataset(Number(values.events));
  console.table([small.rows, large.rows]);
  report(await measure(small, large));
} finally {
  await stopServices();
  await dropDatasets();
}

/** Requests to both are made by turns, so that other load on the machine affects both alike. */
async function measure(small: ScaleDataset, large: ScaleDataset): Promise<[Measurement, Measurement][]> {
  const { url: smallUrl } = await startService(small.databaseUrl, uncached);
  const { url: largeUrl } = await startService(large.databaseUrl, uncached);
  const largeRequests = scaleRequests(large);
  const measured: [Measurement, Measurement][] = [];
  for (const [index, smallRequest] of scaleRequests(small).entries()) {
    const largeRequest = largeRequests[index];
    if (largeRequest === undefined) throw new Error("both datasets have the same requests");
    const times: [number[], number[]] = [[], []];
    let bytes: [number, number] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const first = await send(smallUrl, smallRequest);
      const second = await send(largeUrl, largeRequest);
      times[0].push(first.ms);
      times[1].push(second.ms);
      bytes = [first.bytes, second.bytes];
    }
    const { name } = largeRequest;
    measured.push([
      { name, ms: median(times[0]), bytes: bytes[0] },
      { name, ms: median(times[1]), bytes: bytes[1] },
    ]);
  }
  return measured;
}

async function send(
  url: string,
  { method = "GET", path, headers, body }: ScaleRequest,
): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now();
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"isError":true')) {
    throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  }
  return { ms: performance.now() - startedAt, bytes: text.length };
}

function report(measured: [Measurement, Measurement][]): void {
  const lines = measured.map(([small, large]) => {
    const growth = large.ms / small.ms;
    const isOk = growth <= mostGrowth || large.ms <= unnoticeableMs;
    return {
      read: large.name,
      "1,000 events ms": small.ms.toFixed(1),
      "large ms": large.ms.toFixed(1),
      growth: growth.toFixed(1),
      "large bytes": large.bytes,
      verdict: isOk ? "ok" : "TOO SLOW",
    };
  });
  console.table(lines);
  if (lines.some(({ verdict }) => verdict !== "ok")) process.exitCode = 1;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
