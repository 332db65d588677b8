import { beforeAll, beforeEach } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import type { ToolServices } from "../../src/registry.js";
import { createEventFixture, type EventFixture } from "./event-fixture.js";
import { type Make, makerOn } from "./make.js";
import { type Service, startService } from "./service.js";
import { createToolRunner, type ToolRunner } from "./tool-runner.js";
import { workerDatabase } from "./worker-database.js";

// Set-up that test files share. Each function registers hooks and returns objects that these hooks fill in, so the objects
// are usable inside hooks and tests only.

/** Starts a service before the tests and closes it after them. */
export function useService<Started extends Service = Service>(
  start = startService as () => Promise<Started>,
): { service: Started; db: Database; make: Make } {
  const service = {} as Started;
  const db = {} as Database;
  beforeAll(async () => {
    const started = await start();
    Object.assign(service, started);
    Object.assign(db, started.db);
    return started.close;
  });
  return { service, db, make: makerOn(db) };
}

/** Opens the run's shared database before the tests and closes it after them. */
export function useDatabase(poolSize = 4): { db: Database; make: Make } {
  const db = {} as Database;
  beforeAll(() => {
    const opened = openDatabase(workerDatabase.connection, { poolSize, onIdleError: () => {} });
    Object.assign(db, opened);
    return opened.close;
  });
  return { db, make: makerOn(db) };
}

/** Creates an event fixture before each test, with the tools as its owner calls them. */
export function useEvent(db: Database, services?: Partial<ToolServices>): { fixture: EventFixture; tools: ToolRunner } {
  const fixture = {} as EventFixture;
  const tools = {} as ToolRunner;
  beforeEach(async () => {
    Object.assign(fixture, await createEventFixture(db));
    Object.assign(tools, createToolRunner(db, { ...fixture }, services));
  });
  return { fixture, tools };
}
