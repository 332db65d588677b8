import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../support/call.js";
import { withPostgres } from "../support/needs.js";
import { until } from "../support/until.js";
import type { Load } from "./load.js";
import { type PostgresServer, startPostgresServer } from "./postgres-server.js";
import { type Relay, startRelay } from "./relay.js";
import { type LoadedService, repeats, startLoadedService } from "./under-load.js";

withPostgres("a service under load, whose database has a standby", { repeats }, () => {
  let primary: PostgresServer;
  let relay: Relay;
  let loaded: LoadedService;
  beforeAll(async () => {
    primary = await startPostgresServer();
    relay = await startRelay(primary.port);
    const url = `postgres://postgres@127.0.0.1:${relay.port}/postgres`;
    loaded = await startLoadedService({ DATABASE_URL: url }, url);
  });
  afterAll(async () => {
    await loaded.close();
    await relay.close();
    await primary.remove();
  });

  const health = async () => (await call(loaded.service.ready.url, "/readyz")).json;
  const metric = async (name: string) => {
    const { text } = await call(loaded.operationsUrl, "/metrics");
    return Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
  };

  /** How the next reads and changes are answered. */
  async function outcomes({ answers }: Load) {
    const from = answers.length;
    const statuses = (pattern: RegExp) =>
      answers.slice(from).flatMap(({ what, status }) => (pattern.test(what) ? [status] : []));
    const enough = () => [statuses(/^\//), statuses(/^PATCH/)] as const;
    const [reads, changes] = await until(() => enough().every(({ length }) => length > 20) && enough());
    return { reads: new Set(reads), changes: new Set(changes) };
  }

  it("reads from a standby while the primary is gone, and changes it once it is promoted", async () => {
    const standby = await primary.startStandby();
    const refused = await loaded.underLoad(async (load) => {
      await primary.stop("SIGKILL");
      relay.leadTo(standby.port);
      await until(async () => (await health()).checks.database === "read_only");
      expect((await health()).ready).toBe(true);
      expect(await metric("svc_database_writable")).toBe(0);
      // An outage ends some seconds after the last failure.
      await until(async () => (await metric('svc_dependency_up\\{dependency="database"\\}')) === 1);
      const hits = await metric("svc_cache_hits_total");
      expect(await outcomes(load)).toEqual({ reads: new Set([200]), changes: new Set([503]) });
      expect(await metric("svc_cache_hits_total")).toBe(hits);
      await standby.query("select pg_promote()");
      await until(async () => (await health()).checks.database === "ok");
    });
    expect(refused).toBeGreaterThan(0);
    await until(async () => (await metric("svc_database_writable")) === 1);
    await primary.remove();
    primary = standby;
  });

  it("leaves a primary that became read-only, for reads too, when its address leads to another", async () => {
    const standby = await primary.startStandby();
    const refused = await loaded.underLoad(async () => {
      await primary.query("alter system set default_transaction_read_only = on");
      await primary.query("select pg_reload_conf()");
      // What was begun before may still commit, and must reach the standby.
      await until(async () => (await primary.query(changing)).length === 0);
      await standby.query("select pg_promote()");
      relay.leadTo(standby.port);
      await until(async () => (await health()).checks.database === "ok");
      await until(async () => (await primary.query(connected)).length === 0);
    });
    expect(refused).toBeGreaterThan(0);
    await primary.remove();
    primary = standby;
  });
});

const connected = "select from pg_stat_activity where application_name like 'svc%'";
const changing = "select from pg_stat_activity where backend_xid is not null";
