import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../cli/launch.js";
import { call } from "../support/call.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgresAndRedis } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { type Running, startCommand } from "../support/svc.js";
import { until } from "../support/until.js";
import { createLoadFixture, startLoad } from "./load.js";
import { acknowledges, repeats, unlimited, withDatabaseOf } from "./under-load.js";

withPostgresAndRedis("SIGHUP under load", { repeats }, () => {
  let database: OpenedDatabase;
  let url: string;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    url = database.env.DATABASE_URL ?? "";
  });
  afterAll(() => database.remove());

  describe.each([1, 2])("of a service with %d processes", (workers) => {
    it("drains, loses nothing and fails no request until the listener closes", async () => {
      const port = await findFreePort();
      const env = { ...database.env, ...unlimited, REDIS_URL: process.env.REDIS_URL, SHUTDOWN_GRACE_S: "15" };
      const serve = (): Promise<Running> =>
        startCommand(["serve", "--port", String(port), "--workers", String(workers), "--json"], env);
      let service = await serve();
      const fixture = await withDatabaseOf(url, (db) => createLoadFixture(db, 12));
      const load = startLoad(service.ready.url, fixture);
      try {
        await acknowledges(load, 50, service);
        const from = load.answers.length;
        const stopped = service.stop("SIGHUP");
        await until(async () => (await call(service.ready.url, "/readyz")).status === 503);
        await until(() => load.answers.length > from + 50);
        expect(load.answers.slice(from, from + 50).filter(({ status }) => status !== 200)).toEqual([]);
        expect(await stopped).toBe(0);
        service = await serve();
        await acknowledges(load, 50, service);
      } finally {
        await load.stop();
        await service.stop();
      }
      // Nobody listens between the two services.
      expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, "no response"]));
      await withDatabaseOf(url, (db) => load.expectNothingLost(db));
    });
  });
});
