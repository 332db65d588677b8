import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../cli/launch.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { startRedis } from "../support/redis-server.js";
import { type LoadedService, repeats, startLoadedService } from "./under-load.js";

withPostgres("a service under load", { repeats }, () => {
  let database: OpenedDatabase;
  let port: number;
  let redis: ChildProcess;
  let loaded: LoadedService;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    port = await findFreePort();
    redis = await startRedis(port);
    const DATABASE_URL = database.env.DATABASE_URL ?? "";
    loaded = await startLoadedService({ DATABASE_URL, REDIS_URL: `redis://127.0.0.1:${port}` }, DATABASE_URL);
  });
  afterAll(async () => {
    await loaded.close();
    redis.kill("SIGKILL");
    await database.remove();
  });

  it("refuses nobody while Redis is killed and comes back", async () => {
    const refused = await loaded.underLoad(async () => {
      const exited = once(redis, "exit");
      redis.kill("SIGKILL");
      await exited;
      await sleep(1_000);
      redis = await startRedis(port);
    });
    expect(refused).toBe(0);
  });

  it("refuses nobody while Redis is stalled", async () => {
    const refused = await loaded.underLoad(async () => {
      redis.kill("SIGSTOP");
      await sleep(2_000);
      redis.kill("SIGCONT");
    });
    expect(refused).toBe(0);
  });
});
