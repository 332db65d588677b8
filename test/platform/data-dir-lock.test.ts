import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireDataDirLock, type DataDirLock, findLiveHolder } from "../../src/platform/embedded-db/data-dir-lock.js";
import { openSocketDir, socketPath } from "../../src/platform/embedded-db/socket-dir.js";
import { startChild, temporaryFolder } from "./embedded-db-processes.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

let lastPort = 20_000;

/** What a process does: listen, then ask for the lock. `die` leaves its files behind, like kill -9. */
async function contender(dataDir: string): Promise<{ lock: DataDirLock; die(): Promise<void> }> {
  const port = ++lastPort;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socketPath(dataDir, port), resolve));
  const claim = { pid: process.pid, command: `contender ${port}`, socket_dir: dataDir, port, started_at: "then" };
  const lock = await acquireDataDirLock(dataDir, dataDir, claim);
  return { lock, die: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

test("one of many gets the lock, and the others learn who", async () => {
  const contenders = await Promise.all(Array.from({ length: 20 }, () => contender(folder.path)));
  const winners = contenders.filter(({ lock }) => lock.acquired);
  expect(winners).toHaveLength(1);
  const holder = await findLiveHolder(folder.path, folder.path);
  for (const { lock } of contenders) if (!lock.acquired) expect(lock.holder).toEqual(holder);
  for (const { lock, die } of contenders) {
    if (lock.acquired) await lock.release();
    await die();
  }
  expect(await findLiveHolder(folder.path, folder.path)).toBeUndefined();
  expect((await contender(folder.path)).lock.acquired).toBe(true);
});

test("owners that die one after the other never leave two behind", async () => {
  let owners = 0;
  let takeovers = 0;
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      while (takeovers < 100) {
        const { lock, die } = await contender(folder.path);
        if (lock.acquired) {
          owners += 1;
          takeovers += 1;
          expect(owners).toBe(1);
          await sleep(index % 3);
          expect(owners).toBe(1);
          owners -= 1;
          if (takeovers % 5 === 0) await lock.release();
        }
        await die();
      }
    }),
  );
  const { lock } = await contender(folder.path);
  expect(lock.acquired).toBe(true);
  expect((await readdir(folder.path)).filter((name) => name.startsWith("lock"))).toEqual(["lock"]);
}, 30_000);

test("a lock that is not ours is reported, not removed", async () => {
  await writeFile(join(folder.path, "lock"), "mine");
  await expect(contender(folder.path)).rejects.toThrow(/lock is not a lock of this service: delete it/);
  expect(await readFile(join(folder.path, "lock"), "utf8")).toBe("mine");
});

test("a deep folder gets a short name for its sockets, which goes away again", async () => {
  const deep = join(folder.path, "x".repeat(100));
  const socketDir = await openSocketDir(deep);
  expect(socketPath(socketDir.path, 65_535).length).toBeLessThan(100);
  await socketDir.dispose();
  await expect(readdir(join(socketDir.path, ".."))).rejects.toThrow("ENOENT");
});

test("of ten processes that start at once, one wins; also when the lock is that of a killed one", async () => {
  const race = async (length: number) => {
    const children = Array.from({ length }, () => startChild({ dataDir: folder.path, mode: "own", task: "race" }));
    await Promise.all(children.map((child) => child.event("up")));
    for (const child of children) child.process.stdin?.write("go\n");
    const results = await Promise.all(children.map((child) => child.event("open", "refused")));
    const winners = children.filter((_, index) => results[index]?.event === "open");
    expect(winners).toHaveLength(1);
    for (const result of results) {
      if (result.event === "refused") {
        expect(result.message).toMatch(
          /^DATA_DIR .* is in use by test race \(pid \d+, since .*\): stop it, or set DATA_DIR to another folder$/,
        );
      }
    }
    await Promise.all(children.map((child) => (winners.includes(child) ? child.kill() : child.end())));
  };
  await race(10);
  expect(await readFile(join(folder.path, "lock"), "utf8")).toContain("test race");
  await race(6);
}, 60_000);
