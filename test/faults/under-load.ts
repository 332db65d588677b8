import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { type Running, startCommand } from "../support/svc.js";
import { createLoadFixture, type Load, type LoadFixture, startLoad } from "./load.js";

/** The longest that a caller may wait, and the longest until the service is ready after what it depends on is. */
const longestWaitMs = 10_000;
const readyWithinMs = 5_000;

/** `npm run faults` repeats every fault. */
export const repeats = Number(process.env.FAULT_ROUNDS ?? 1) - 1;

type Fault = (load: Load, fixture: LoadFixture) => Promise<void>;

export type LoadedService = {
  service: Running;
  operationsUrl: string;
  /** Runs a fault under load, and checks what every fault must leave intact. Returns how many requests got a 503. */
  underLoad(fault: Fault): Promise<number>;
  close(): Promise<void>;
};

/** Starts a service. The test reads its database directly, at another address if the service goes through a relay. */
export async function startLoadedService(env: Record<string, string>, databaseUrl: string) {
  const service = await startCommand(["serve", "--port", "0", "--json"], {
    ...unlimited,
    OPERATIONS_PORT: "0",
    ...env,
  });
  const loaded: LoadedService = {
    service,
    operationsUrl: service.ready.operations_url,
    underLoad: (fault) => runUnderLoad(service, databaseUrl, fault),
    close: async () => void (await service.stop()),
  };
  return loaded;
}

/** Without limits on rates, so that every refusal is one of the fault. */
export const unlimited = { REST_LIMIT: "1000000", MCP_LIMIT: "1000000" };

/** On new connections: a fault may have ended others, or they lead to a server that is no longer the primary. */
export async function withDatabaseOf<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ connectionString: url }, { poolSize: 2, onIdleError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function runUnderLoad(service: Running, databaseUrl: string, fault: Fault): Promise<number> {
  const fixture = await withDatabaseOf(databaseUrl, (db) => createLoadFixture(db, 12));
  const load = startLoad(service.ready.url, fixture);
  try {
    await acknowledges(load, 50, service);
    await fault(load, fixture);
    const endedAt = performance.now();
    await acknowledges(load, 1, service);
    expect(performance.now() - endedAt).toBeLessThan(readyWithinMs);
    await acknowledges(load, 50, service);
  } finally {
    await load.stop();
  }
  await withDatabaseOf(databaseUrl, (db) => load.expectNothingLost(db));
  expectAnswers(load);
  expect(service.child.exitCode).toBeNull();
  return load.answers.filter(({ status }) => status === 503).length;
}

/** Everyone got what they asked for or a 503 that says when to try again, in time. */
function expectAnswers({ answers }: Load): void {
  const unexpected = answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter));
  expect(unexpected).toEqual([]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(longestWaitMs);
}

export async function acknowledges(load: Load, count: number, service: Running): Promise<void> {
  const target = load.acknowledged() + count;
  while (load.acknowledged() < target) {
    if (service.child.exitCode !== null) throw new Error(`the service has ended: ${service.output().stderr}`);
    await sleep(5);
  }
}
