import pg from "pg";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/http/server.js";
import { overloaded, unavailable } from "../../src/infra/database/database-errors.js";
import { noMetrics } from "../../src/infra/observability/metrics.js";
import { createDatabaseObserver, createOperations } from "../../src/infra/observability/operations.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type ObservedService, startObservedService } from "./observed-service.js";

let service: ObservedService;
beforeAll(async () => {
  service = await startObservedService();
});
afterAll(() => service.close());

const warnings = () => service.logged().lines.filter(({ level }) => level >= 40);

it("of the ticketing platform are one line for all the requests that fail, and a metric", async () => {
  const organizationId = await service.make.organization();
  const key = await service.make.organizationKey(organizationId);
  const event = await service.linkedEvent(organizationId);
  const read = () => service.call(`/api/ticketing/event/get?event_id=${event}`, { key });
  expect((await read()).status).toBe(200);
  service.upstream.respondWith((_request, socket) => {
    socket.destroy();
    return undefined;
  });
  for (let request = 0; request < 10; request++) expect((await read()).status).toBe(502);
  expect(warnings()).toMatchObject([
    { dependency: "ticketing platform", msg: "the ticketing platform is unavailable" },
  ]);
  const { body } = await service.metrics.text();
  expect(body).toContain('svc_dependency_up{dependency="ticketing"} 0');
  expect(body).toContain('svc_dependency_up{dependency="database"} 1');
  expect(body).toContain('svc_ticketing_calls_total{outcome="failed"} 10');
  expect(body).toContain('svc_ticketing_calls_total{outcome="2xx"} 1');
});

const lost = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });

it("of the database are one line with the reason; the requests that fail are 503s without it", async () => {
  const { log, lines } = createMemoryLog();
  const observer = createDatabaseObserver(log, noMetrics);
  observer.statement(sql`select 1`, undefined, 1, undefined);
  const app = createServer({
    operations: createOperations(log, service.db),
    baseUrl: "",
    corsOrigins: [],
    connectionLimits: { connections: 100 },
  });
  app.get("/fails", async () => {
    const error = unavailable("it cannot be connected to", lost);
    observer.statement(sql`select 1`, undefined, 1, error);
    throw error;
  });
  for (let request = 0; request < 10; request++) expect((await app.inject("/fails")).statusCode).toBe(503);
  await app.close();
  const [first, ...rest] = lines();
  expect(first).toMatchObject({ level: 40, dependency: "database", reason: expect.stringContaining("ECONNREFUSED") });
  expect(rest.map(({ level, status, err }) => [level, status, err])).toEqual(Array(10).fill([30, 503, undefined]));
});

it("of a database that has never responded are left to the start, and errors of a statement are none", () => {
  const { log, lines } = createMemoryLog();
  const observer = createDatabaseObserver(log, noMetrics);
  observer.statement(sql`select 1`, undefined, 1, lost);
  observer.statement(sql`select 1`, undefined, 1, undefined);
  const locked = Object.assign(new pg.DatabaseError("canceling statement", 0, "error"), { code: "55P03" });
  observer.statement(sql`select 1`, undefined, 1, unavailable("another change holds a lock", locked));
  observer.statement(sql`select 1`, undefined, 1, new Error("a mistake in the code"));
  expect(lines()).toEqual([]);
});

it("of the database are not the requests that find no free connection, which are one line of their own", async () => {
  const { log, lines } = createMemoryLog();
  const gauges: (() => unknown)[] = [];
  const observer = createDatabaseObserver(log, { ...noMetrics, gauge: (_name, _help, read) => gauges.push(read) });
  observer.statement(sql`select 1`, undefined, 1, undefined);
  for (let request = 0; request < 10; request++) {
    observer.statement(sql`select 1`, undefined, 1, overloaded("100 requests are waiting for a connection"));
  }
  expect(lines()).toMatchObject([
    { level: 40, msg: "requests are refused: all connections to the database are in use" },
  ]);
  expect(gauges.map((read) => read())).toEqual([1, 1]);
});
