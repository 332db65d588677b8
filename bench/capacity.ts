// How many requests per second does one process serve, how much memory does it take, and how many connections?
// Usage: DATABASE_URL=postgres://… npm run bench:capacity [-- --clients 32 --seconds 5]
// Creates a database on that server and drops it at the end. The load generator takes CPU time too: leave it a core.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withKey } from "./support/base.js";
import { cleanUp, onCleanUp } from "./support/clean-up.js";
import { createDataset, dropDatasets } from "./support/dataset.js";
import { rowsOf } from "./support/dataset-queries.js";
import { loadOn } from "./support/load.js";
import { residentMegabytes } from "./support/process-usage.js";
import { type Service, startService, stopServices } from "./support/service.js";

const { values } = parseArgs({
  options: { clients: { type: "string", default: "32" }, seconds: { type: "string", default: "5" } },
});
const clients = Number(values.clients);
const seconds = Number(values.seconds);

onCleanUp(stopServices);
onCleanUp(dropDatasets);
try {
  const { databaseUrl } = await createDataset({ events: 10_000, keys: 100 });
  const service = await startService(databaseUrl, { environment: { DATABASE_POOL_SIZE: "10" } });
  await sleep(2_000);
  console.log(`at rest: ${memoryMb(service)} MB resident`);
  const paths = {
    ping: "/api/svc/ping",
    "list, 1 poster": "/api/svc/posters?limit=1",
    "list, 50 posters": "/api/svc/posters?limit=50",
    "description, no key": "/api/svc",
  };
  await measure(service, paths.ping, 1);
  const lines = [];
  for (const [name, path] of Object.entries(paths)) {
    const connected = sleep((seconds * 1000) / 2).then(() => countConnections(databaseUrl));
    lines.push({ name, ...(await measure(service, path, seconds)), connections: await connected });
  }
  console.table(lines);
} finally {
  await cleanUp();
}

async function measure(service: Service, path: string, forSeconds: number) {
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, memoryMb(service));
  }, 100);
  const load = await loadOn(service, clients, [withKey({ path })]).measure(forSeconds * 1000);
  clearInterval(sample);
  const cpuMs = (load.cpuMicrosPerRequest ?? Number.NaN) / 1000;
  return {
    "requests/s": Math.round(load.perSecond),
    "p50 ms": load.p50Ms.toFixed(1),
    "p95 ms": load.p95Ms.toFixed(1),
    "cores used": ((cpuMs * load.perSecond) / 1000).toFixed(2),
    "CPU ms/request": cpuMs.toFixed(2),
    "peak MB": peak,
  };
}

function memoryMb({ pid }: Service): number {
  return Math.round(residentMegabytes(pid).reduce((sum, megabytes) => sum + megabytes, 0));
}

/** Of the service, to its database. Connections without work are closed, so it is counted under load. */
async function countConnections(databaseUrl: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    databaseUrl,
    "select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    [],
  );
  return row?.count ?? 0;
}
