import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/config.js";
import { startOperationsServer } from "../../src/http/operations-server.js";
import { createMetrics } from "../../src/infra/observability/metrics.js";
import { createOperations } from "../../src/infra/observability/operations.js";
import { noteBackup, noteVerifiedBackup } from "../../src/transfer/backup-state.js";
import { callTool } from "../mcp/messages.js";
import { call } from "../support/call.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type ObservedService, startObservedService } from "./observed-service.js";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

let service: ObservedService;
let key: string;
let event: string;
beforeAll(async () => {
  service = await startObservedService();
  const organizationId = await service.make.organization();
  key = await service.make.organizationKey(organizationId);
  event = await service.linkedEvent(organizationId);
  await service.call("/api/svc/ping", { key });
  await service.call("/api/svc/posters?limit=1", { key });
  await service.call("/api/svc/ping");
  await service.call(`/api/ticketing/event/get?event_id=${event}`, { key });
  await callTool(service, key, "get_organization_admin_snapshot");
  await service.requestLines(5);
});
afterAll(() => service.close());

const scrape = async () => (await service.metrics.text()).body;
const seriesValue = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );

describe("metrics", () => {
  it.each([
    ['svc_requests_total{endpoint="rest",route="/api/svc/ping",method="GET",status="200"}', 1],
    ['svc_requests_total{endpoint="rest",route="/api/svc/ping",method="GET",status="401"}', 1],
    ['svc_requests_total{endpoint="mcp",route="/api/mcp",method="POST",status="200"}', 1],
    ['svc_request_duration_seconds_count{endpoint="rest",route="/api/svc/ping"}', 2],
    ['svc_request_database_seconds_count{endpoint="ticketing"}', 1],
    ['svc_tool_calls_total{tool="get_organization_admin_snapshot",outcome="ok"}', 1],
    ['svc_tool_duration_seconds_count{tool="get_organization_admin_snapshot"}', 1],
    ['svc_ticketing_calls_total{outcome="2xx"}', 1],
    ["svc_ticketing_call_duration_seconds_count", 1],
    ["svc_ticketing_slots_used", 0],
    ["svc_ticketing_slots_limit", 150],
    ["svc_posters_queued", 0],
    ["svc_uploads_running", 0],
    ["svc_uploads_waiting", 0],
    ['svc_uploads_refused_total{reason="quota"}', 0],
    ["svc_draining", 0],
    ['svc_dependency_up{dependency="redis"}', 1],
    ['svc_database_pool_waiting{pool="reads"}', 0],
  ])("have %s = %d", async (series, value) => {
    expect(seriesValue(await scrape(), series)).toBe(value);
  });

  it("have no slots where no ticketing platform is configured: ops/alert-rules.yml does not count its 503s", async () => {
    const { log } = createMemoryLog();
    const metrics = await createMetrics();
    const operations = createOperations(log, service.db, { metrics });
    const app = buildApp({ ...loadConfig({}), ticketing: null }, service.db, log, {}, operations);
    expect(seriesValue((await metrics.text()).body, "svc_ticketing_slots_limit")).toBe(0);
    await app.close();
  });

  it("measure statements by their name, and the pool", async () => {
    const text = await scrape();
    expect(
      seriesValue(text, 'svc_database_statement_duration_seconds_count{statement="look up keys"}'),
    ).toBeGreaterThan(0);
    expect(
      seriesValue(text, 'svc_database_statement_duration_seconds_count{statement="find hosting callers"}'),
    ).toBeGreaterThan(0);
    const connections = ["used", "idle"].map((name) => seriesValue(text, `svc_database_pool_${name}{pool="reads"}`));
    expect(connections.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  });

  it("have the times of the last backup and of the last verified one", async () => {
    const times = async () => {
      const text = await scrape();
      return ["last", "last_verified"].map((name) => seriesValue(text, `svc_${name}_backup_timestamp_seconds`));
    };
    await service.db.query(sql`delete from backup_state`);
    await expect.poll(times).toEqual([0, 0]);
    await noteBackup(service.db.changes, "2031-01-01T00:00:00.500Z");
    await noteVerifiedBackup(service.db.changes, "2031-01-01T00:00:00.500Z");
    await noteBackup(service.db.changes, "2031-01-02T00:00:00Z");
    await expect.poll(times).toEqual([1_925_078_400, 1_924_992_000.5]);
    await service.db.query(sql`delete from backup_state`);
  });

  it("do not grow with the ids, paths, methods of unknown paths and names that callers send", async () => {
    const send = async () => {
      const id = randomUUID();
      await service.call(`/api/svc/posters/${id}`, { key });
      await service.call(`/${id}`);
      await service.call(`/api/ticketing/${id}`, { key });
      await service.call(`/api/svc/events/${id}/posters?cursor=${id}`, { key });
      await callTool(service, key, `tool_${id}`);
      await callTool(service, key, "update_organization_profile", { [id]: id });
      return (await scrape()).split("\n").filter((line) => line.startsWith("svc_")).length;
    };
    // A request is counted when its response is complete, which its client may know before.
    await send();
    const before = await send();
    expect(await send()).toBe(before);
  });
});

describe("ops/", () => {
  it.each(["ops/grafana-dashboard.json", "ops/alert-rules.yml"])("%s uses only metrics that exist", async (file) => {
    const text = textOf(file);
    if (file.endsWith(".json")) expect(JSON.parse(text).panels.length).toBeGreaterThan(10);
    const used = new Set(text.match(/\b(svc|nodejs|process)_[a-z0-9_]+/g));
    expect(used.size).toBeGreaterThan(8);
    // Set by the process or by the primary of workers, not by the app.
    const exported = new Set(["svc_log_lines_dropped_total", "svc_spans_dropped_total"]);
    for (const name of ["svc_workers_listening", "svc_workers_expected"]) exported.add(name);
    for (const line of (await scrape()).split("\n")) {
      const name = /^# TYPE (\S+) (\S+)/.exec(line);
      if (name === null) continue;
      exported.add(name[1] ?? "");
      if (name[2] === "histogram") exported.add(`${name[1]}_bucket`);
    }
    expect([...used].filter((name) => !exported.has(name))).toEqual([]);
  });

  it("docs/operations.md lists every metric of the service", async () => {
    const page = textOf("docs/operations.md").replaceAll(
      /`(svc_database_pool)_used`, `_idle`, `_waiting`/g,
      "`$1_used`, `$1_idle`, `$1_waiting`",
    );
    const names = [...(await scrape()).matchAll(/^# TYPE (svc_\S+)/gm)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("the operations listener", () => {
  it("serves metrics and health, and nothing else", async () => {
    const { log } = createMemoryLog();
    const operations = createOperations(log, service.db, { metrics: service.metrics });
    const server = await startOperationsServer(operations, { host: "127.0.0.1", port: 0 });
    const metrics = await call(server.url, "/metrics");
    expect(metrics.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metrics.text).toContain("svc_requests_total{");
    expect((await call(server.url, "/livez")).status).toBe(200);
    expect((await call(server.url, "/readyz")).json.ready).toBe(true);
    operations.readiness.startDraining();
    expect(await call(server.url, "/readyz")).toMatchObject({ status: 503, json: { checks: { process: "draining" } } });
    for (const path of ["/", "/api/svc", "/toString", "/metrics/x"]) {
      expect((await call(server.url, path)).status).toBe(404);
    }
    await server.close();
  });

  it("is the only one that serves metrics", async () => {
    expect((await service.call("/metrics")).status).toBe(404);
  });
});
