import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withPostgres } from "../support/needs.js";
import type { Load } from "./load.js";
import { type PostgresServer, startPostgresServer } from "./postgres-server.js";
import { type Relay, startRelay } from "./relay.js";
import { type LoadedService, repeats, startLoadedService } from "./under-load.js";

withPostgres("a service under load", { repeats }, () => {
  let postgres: PostgresServer;
  let relay: Relay;
  let loaded: LoadedService;
  beforeAll(async () => {
    postgres = await startPostgresServer();
    relay = await startRelay(postgres.port);
    const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${relay.port}/postgres` };
    loaded = await startLoadedService(env, postgres.url);
  });
  afterAll(async () => {
    await loaded.close();
    await relay.close();
    await postgres.remove();
  });

  it("survives connections that the server terminates", async () => {
    await loaded.underLoad(async () => {
      for (let round = 0; round < 30; round++) {
        await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc'");
        await sleep(30);
      }
    });
  });

  it.each(["SIGINT", "SIGQUIT", "SIGKILL"] as const)("survives a restart of the server after %s", async (signal) => {
    const refused = await loaded.underLoad(async () => {
      await postgres.stop(signal);
      await sleep(300);
      await postgres.start();
    });
    expect(refused).toBeGreaterThan(0);
  });

  it("answers everyone while the network loses every packet, and recovers", async () => {
    const refused = await loaded.underLoad(async () => {
      relay.drop();
      await sleep(11_000);
      relay.restore();
    });
    expect(refused).toBeGreaterThan(0);
  });

  it("answers everyone while the server is stalled, and recovers", async () => {
    const refused = await loaded.underLoad(async () => {
      const resume = postgres.stall();
      await sleep(6_000);
      resume();
    });
    expect(refused).toBeGreaterThan(0);
  });

  it("a locked row delays only those who need it", async () => {
    let others: Load["answers"] = [];
    const refused = await loaded.underLoad(async (load, { posters }) => {
      const blocker = new pg.Client({ connectionString: postgres.url });
      await blocker.connect();
      await blocker.query("begin");
      const locked = posters.slice(0, 8);
      await blocker.query("select from posters where id = any($1) for update", [locked]);
      const from = load.answers.length;
      await sleep(6_000);
      others = load.answers.slice(from).filter(({ what }) => !locked.some((id) => what === `PATCH ${id}`));
      await blocker.query("rollback");
      await blocker.end();
    });
    expect(refused).toBeGreaterThan(0);
    expect(others.filter(({ what }) => what.startsWith("PATCH")).length).toBeGreaterThan(20);
    expect(others.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("does not keep connections that became read-only", async () => {
    // An earlier round has left a setting, which connections keep as long as they live.
    await postgres.query("alter system reset default_transaction_read_only");
    await postgres.query("select pg_reload_conf()");
    await postgres.query("alter database postgres reset default_transaction_read_only");
    await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc'");
    const refused = await loaded.underLoad(async () => {
      await postgres.query("alter system set default_transaction_read_only = on");
      await postgres.query("select pg_reload_conf()");
      await sleep(500);
      // Holds for new connections only.
      await postgres.query(
        "begin; set transaction read write; alter database postgres set default_transaction_read_only = off; commit",
      );
    });
    expect(refused).toBeGreaterThan(0);
  });
});

const canMount = process.env.DATABASE_URL !== undefined && tryMount();

withPostgres("a service whose database has a small disk", { repeats }, () => {
  let disk: string;
  let postgres: PostgresServer;
  let loaded: LoadedService;
  beforeAll(async () => {
    if (!canMount) return;
    disk = await mkdtemp(join(tmpdir(), "svc-disk-"));
    mount(disk, "160m");
    postgres = await startPostgresServer(disk);
    loaded = await startLoadedService({ DATABASE_URL: postgres.url }, postgres.url);
  });
  afterAll(async () => {
    if (!canMount) return;
    await loaded.close();
    await postgres.remove();
    execFileSync("umount", [disk]);
    await rm(disk, { recursive: true });
  });

  it.runIf(canMount)("recovers after the disk was full", async () => {
    const refused = await loaded.underLoad(async (load) => {
      const filler = join(disk, "filler");
      fill(filler);
      while (!load.answers.some(({ status }) => status === 503)) await sleep(20);
      await sleep(500);
      rmSync(filler);
      if (!postgres.isRunning()) await postgres.start();
    });
    expect(refused).toBeGreaterThan(0);
  });
});

function mount(directory: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", directory], { stdio: "ignore" });
}

/** Only root may mount, and not in every container. */
function tryMount(): boolean {
  try {
    mount("/mnt", "1m");
    execFileSync("umount", ["/mnt"]);
    return true;
  } catch {
    return false;
  }
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(size);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        expect(error).toMatchObject({ code: "ENOSPC" });
      }
    }
  } finally {
    closeSync(file);
  }
}
