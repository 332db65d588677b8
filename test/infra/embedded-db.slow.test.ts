import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { connectTo, newDirectory, startChild } from "./embedded-db-processes.js";

describe("several processes on one directory", () => {
  test("refuses or shares with the second process, and the owner waits for it before closing", async () => {
    const dataDir = await newDirectory();
    const owner = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc first" });
    expect(owner.owned).toBe(true);
    await expect(openEmbeddedDatabase({ dataDir, mode: "own", command: "svc second" })).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by svc first (pid ${process.pid}, since `,
    );
    const sharing = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc second" });
    expect(sharing.owned).toBe(false);
    let ownerClosed = false;
    const closing = owner.close().then(() => {
      ownerClosed = true;
    });
    await sleep(200);
    const client = await connectTo(sharing);
    await client.query("CREATE TABLE kept AS SELECT 1 AS n");
    expect(ownerClosed).toBe(false);
    await client.end();
    await sharing.close();

    // The owner may still be closing: this process either shares with it or becomes the next owner.
    const next = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc third" });
    const reader = await connectTo(next);
    expect((await reader.query("SELECT n FROM kept")).rows).toEqual([{ n: 1 }]);
    await reader.end();
    await next.close();
    await closing;
    expect(await readdir(dataDir)).toEqual(["pg"]);
  });

  test("supports a directory with a long path", async () => {
    const dataDir = join(await newDirectory(), "deep".repeat(20), "deeper".repeat(20));
    const owner = await openEmbeddedDatabase({ dataDir, mode: "own", command: "svc first" });
    const sharing = await openEmbeddedDatabase({ dataDir, mode: "share", command: "svc second" });
    const client = await connectTo(sharing);
    expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
    await client.end();
    await sharing.close();
    await owner.close();
    expect(existsSync(owner.connection.host)).toBe(false);
  });
});

describe("failures", () => {
  test("loses no acknowledged write on SIGKILL", async () => {
    const dataDir = await newDirectory();
    let acknowledged = 0;
    for (const writingMs of [300, 0]) {
      const child = startChild({ dataDir, mode: "own", task: "write" });
      const found = await child.event("found");
      expect(found.count).toBeGreaterThanOrEqual(acknowledged);
      await sleep(writingMs);
      await child.kill();
      acknowledged = child.events.findLast((event) => event.event === "written")?.number ?? acknowledged;
    }
    expect(acknowledged).toBeGreaterThan(10);
  });

  test("starts after a first start that was killed half-way", async () => {
    for (const [name, delayMs] of [
      ["pg.new", 10],
      ["pg", 0],
    ] as const) {
      const dataDir = await newDirectory();
      const child = startChild({ dataDir, mode: "own", task: "hold" });
      while (!existsSync(join(dataDir, name))) await sleep(1);
      await sleep(delayMs);
      await child.kill();
      const database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
      const client = await connectTo(database);
      expect((await client.query("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
      await database.close();
      expect(await readdir(dataDir)).toEqual(["pg"]);
      expect((await stat(join(dataDir, "pg"))).mode & 0o777).toBe(0o700);
      expect((await stat(join(dataDir, "pg", "PG_VERSION"))).mode & 0o777).toBe(0o600);
    }
  });

  test("reports a crash of the database to the owner", async () => {
    const dataDir = await newDirectory();
    const failures: string[] = [];
    const onFailure = (error: Error) => failures.push(error.message);
    const database = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test", onFailure });
    const client = await connectTo(database);
    await rm(join(dataDir, "pg", "pg_wal"), { recursive: true });
    const query = client.query("CREATE TABLE large AS SELECT repeat('x', 5000) FROM generate_series(1, 5000)");
    await expect(query).rejects.toThrow("Connection terminated");
    await expect.poll(() => failures).toEqual([expect.stringContaining("the embedded database crashed")]);
    await database.close();
    const again = openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
    await expect(again).rejects.toThrow(/the database in .*pg cannot be opened/);
  });
});
