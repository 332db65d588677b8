import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TicketingProxy } from "../processes/ticketing-proxy.js";
import { onCleanUp } from "./clean-up.js";
import { loadOn, type Side } from "./load.js";
import { startProcess } from "./process.js";
import { planRequest } from "./request-plan.js";
import { startSvc, stopProcess, svc } from "./service.js";

/** As many as the proxy has slots. */
export const inFlight = 50;

/** An event on the platform, its seed for the sandbox, and a key that may read it through the proxy. */
export type TicketingData = { databaseUrl: string; environment: Record<string, string>; seed: string; key: string };

export type TicketingServices = { direct: Side; proxied: Side; pid: number; stop(): Promise<void> };

const eventId = "6f1d8a52-3c0b-4e7d-9a41-5b2f7c8e9d10";
const ticketingId = "evt-Bench";

/** The sandbox as the platform, called directly and through the proxy. Its responses take `latencyMs` on average. */
export async function startTicketing(data: TicketingData, latencyMs: number): Promise<TicketingServices> {
  const sandbox = await startSvc<{ url: string; api_key: string }>(
    ["ticketing-sandbox", "--seed", data.seed, "--limit", "0", "--latency", String(latencyMs)],
    {},
  );
  const { url, api_key } = sandbox.ready;
  const limits = { TICKETING_LIMIT: "1000000", REDIS_URL: "" };
  const configuration: TicketingProxy = { url, apiKey: api_key };
  const proxy = await startProcess("ticketing-proxy", configuration, { ...data.environment, ...limits });
  const direct = { path: `/v1/event/get?id=${ticketingId}`, headers: { "x-luma-api-key": api_key } };
  const proxied = {
    path: `/api/ticketing/event/get?id=${eventId}`,
    headers: { authorization: `Bearer ${data.key}` },
  };
  return {
    direct: loadOn(sandbox, inFlight, [planRequest(direct)]),
    proxied: loadOn(proxy, inFlight, [planRequest(proxied)]),
    pid: proxy.pid,
    async stop() {
      await stopProcess(proxy.child);
      await sandbox.stop();
    },
  };
}

/** Fills a database; "" stands for an embedded one in a folder of its own. */
export async function createTicketingData(databaseUrl: string): Promise<TicketingData> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  onCleanUp(async () => rmSync(folder, { recursive: true, force: true }));
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, "data") };
  const files = { document: join(folder, "document.json"), seed: join(folder, "seed.json") };
  writeFileSync(files.document, JSON.stringify(importDocument));
  writeFileSync(files.seed, JSON.stringify(seedDocument));
  await svc(["import", files.document], environment);
  const created = await svc(
    [
      ...["keys", "create", "--tier", "organization", "--name", "bench", "--organization", "bench"],
      ...["--user", "bench@example.com", "--scopes", "org:read", "--json"],
    ],
    environment,
  );
  return { databaseUrl, environment, seed: files.seed, key: (JSON.parse(created) as { key: string }).key };
}

const times = { start: "2031-05-01T18:00:00Z", end: "2031-05-01T20:00:00Z" };

const importDocument = {
  users: [{ email: "bench@example.com", name: "Bench" }],
  organizations: [{ name: "Bench", slug: "bench", members: [{ email: "bench@example.com", role: "owner" }] }],
  conferences: [
    {
      name: "Bench",
      slug: "bench",
      short_name: "Bench",
      description: "For benchmarks",
      city: "Lisbon",
      start_date: "2031-05-01",
      end_date: "2031-05-02",
      timezone: "UTC",
      status: "published",
      category: "mainline",
    },
  ],
  events: [
    {
      id: eventId,
      conference: "bench",
      name: "Bench",
      ticketing_event_id: ticketingId,
      start_time: times.start,
      end_time: times.end,
      timezone: "UTC",
      status: "published",
      category: "mainline",
      hosts: [{ organization: "bench", role: "host" }],
    },
  ],
};

const seedDocument = {
  events: [{ id: ticketingId, name: "Bench", start_at: times.start, end_at: times.end, timezone: "UTC" }],
};
