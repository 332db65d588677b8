import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TicketingProxy } from "../processes/ticketing-proxy.js";
import { baseData, withKey } from "../support/base.js";
import { onCleanUp } from "../support/clean-up.js";
import { benchKey } from "../support/dataset.js";
import { hostedEvents, rowsOf } from "../support/dataset-queries.js";
import { loadOn, type Side } from "../support/load.js";
import { startProcess } from "../support/process.js";
import { planRequest } from "../support/request-plan.js";
import { type Bench, compareSides, type RowGroup } from "../support/row.js";
import { startSvc } from "../support/service.js";
import { difference } from "../support/statistics.js";

/** The average response time of a remote platform. */
const platformMs = 50;
/** As many as the proxy has slots. */
const inFlight = 50;

export const ticketingRows: RowGroup = [
  {
    id: "ticketing",
    name: `ticketing proxy, added median, ${inFlight} in flight`,
    reference: `the platform itself, ${platformMs} ms`,
    goal: { atMost: 1, unit: "ms" },
    async run(bench) {
      const { direct, proxied } = await startTicketing(bench);
      // The platform's latency limits the rate, so that the code of both is compiled later than in other rows.
      const schedule = { ...bench.schedule, warmUpMs: Math.max(2_000, bench.schedule.warmUpMs) };
      return compareSides({ ...bench, schedule }, proxied, direct, ({ p50Ms }) => p50Ms, difference);
    },
  },
];

const ticketingId = "evt-Bench";
const platformEvent = {
  id: ticketingId,
  name: "Bench",
  start_at: "2031-05-01T18:00:00Z",
  end_at: "2031-05-01T20:00:00Z",
  timezone: "UTC",
};

/** The sandbox as the platform, called directly and through the proxy. */
async function startTicketing(bench: Bench): Promise<{ direct: Side; proxied: Side }> {
  const { databaseUrl, keyCount } = await baseData(bench);
  const [hosted] = await hostedEvents(databaseUrl, 1);
  if (hosted === undefined) throw new Error("no organization hosts an event");
  await rowsOf(databaseUrl, "update events set ticketing_event_id = $1 where id = $2", [ticketingId, hosted.event]);
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  onCleanUp(async () => rmSync(folder, { recursive: true, force: true }));
  const seed = join(folder, "seed.json");
  writeFileSync(seed, JSON.stringify({ events: [platformEvent] }));
  const sandbox = await startSvc<{ url: string; api_key: string }>(
    ["ticketing-sandbox", "--seed", seed, "--limit", "0", "--latency", String(platformMs)],
    {},
  );
  const { url, api_key: apiKey } = sandbox.ready;
  const proxy = await startProcess("ticketing-proxy", { url, apiKey } satisfies TicketingProxy, {
    DATABASE_URL: databaseUrl,
    REDIS_URL: "",
    TICKETING_LIMIT: "1000000",
  });
  const direct = planRequest({ path: `/v1/event/get?id=${ticketingId}`, headers: { "x-luma-api-key": apiKey } });
  const path = `/api/ticketing/event/get?id=${hosted.event}`;
  return {
    direct: loadOn(sandbox, inFlight, [direct]),
    proxied: loadOn(proxy, inFlight, [withKey({ path }, benchKey(keyCount + hosted.organization))]),
  };
}
