import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server, Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { acquireDataDirLock, type DataDirLock, findLiveOwner } from "../../src/infra/embedded-db/data-dir-lock.js";
import { openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { openSocketDir, socketPath } from "../../src/infra/embedded-db/socket-dir.js";
import { temporaryDirectory } from "./embedded-db-processes.js";

/** While a code is set, every connection attempt fails with it: most of these errors cannot be provoked as root. */
const connectFailure = vi.hoisted((): { code: string | undefined } => ({ code: undefined }));
vi.mock("node:net", async (importOriginal) => {
  const net = await importOriginal<typeof import("node:net")>();
  return { ...net, connect: (path: string) => failingSocket() ?? net.connect(path) };
});

function failingSocket(): Socket | undefined {
  const { code } = connectFailure;
  return code === undefined ? undefined : new Socket().destroy(Object.assign(new Error(`connect ${code}`), { code }));
}

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(async () => {
  connectFailure.code = undefined;
  await directory.remove();
});

let lastPort = 20_000;

/** Acts as a process does: listens, then asks for the lock. `die` leaves the files behind, as SIGKILL does. */
async function startContender(dataDir: string): Promise<{ lock: DataDirLock; die(): Promise<void> }> {
  const port = ++lastPort;
  let lock: DataDirLock | undefined;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.end(JSON.stringify(lock?.acquired ? lock.owner : null)));
  });
  await new Promise<void>((resolve) => server.listen(socketPath(dataDir, port), resolve));
  const claim = {
    pid: process.pid,
    command: `contender ${port}`,
    socket_dir: dataDir,
    port,
    started_at: "2027-01-01T00:00:00Z",
  };
  lock = await acquireDataDirLock(dataDir, dataDir, claim);
  return { lock, die: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

test("grants the lock to one of many contenders and names the owner to the others", async () => {
  const contenders = await Promise.all(Array.from({ length: 20 }, () => startContender(directory.path)));
  const winners = contenders.filter(({ lock }) => lock.acquired);
  expect(winners).toHaveLength(1);
  const owner = await findLiveOwner(directory.path, directory.path);
  for (const { lock } of contenders) if (!lock.acquired) expect(lock.owner).toEqual(owner);
  for (const { lock, die } of contenders) {
    if (lock.acquired) await lock.release();
    await die();
  }
  expect(await findLiveOwner(directory.path, directory.path)).toBeUndefined();
  expect((await startContender(directory.path)).lock.acquired).toBe(true);
});

test("has at most one owner while owners die and are replaced", async () => {
  let owners = 0;
  let takeovers = 0;
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      while (takeovers < 15) {
        const { lock, die } = await startContender(directory.path);
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
  const { lock } = await startContender(directory.path);
  expect(lock.acquired).toBe(true);
  expect((await readdir(directory.path)).filter((name) => name.startsWith("lock"))).toEqual(["lock"]);
});

describe("an owner", () => {
  test.each(["EACCES", "EPERM", "EAGAIN", "EMFILE", "ETIMEDOUT"])(
    "keeps the lock when connecting to it fails with %s",
    async (code) => {
      const owner = await startContender(directory.path);
      connectFailure.code = code;
      const other = await startContender(directory.path);
      expect(other.lock).toMatchObject({ acquired: false, owner: { pid: process.pid } });
      expect(await findLiveOwner(directory.path, directory.path)).toBeDefined();
      await Promise.all([owner.die(), other.die()]);
    },
  );

  test.each(["ECONNREFUSED", "ENOENT"])("loses the lock when connecting to it fails with %s", async (code) => {
    const owner = await startContender(directory.path);
    connectFailure.code = code;
    expect(await findLiveOwner(directory.path, directory.path)).toBeUndefined();
    const other = await startContender(directory.path);
    expect(other.lock.acquired).toBe(true);
    await Promise.all([owner.die(), other.die()]);
  });

  test("that other users may not connect to is named in the error", async () => {
    const { die } = await startContender(directory.path);
    connectFailure.code = "EACCES";
    await expect(openEmbeddedDatabase({ dataDir: directory.path, mode: "share", command: "test" })).rejects.toThrow(
      /^contender \d+ \(pid \d+\) has the database open but this user may not connect to it: connect EACCES$/,
    );
    await die();
  });
});

test("reports a lock file of another origin and does not remove it", async () => {
  await writeFile(join(directory.path, "lock"), "mine");
  await expect(startContender(directory.path)).rejects.toThrow(
    /lock is damaged, and no process has the database open: delete it/,
  );
  expect(await readFile(join(directory.path, "lock"), "utf8")).toBe("mine");
});

test("uses a temporary symlink for the sockets of a directory with a long path", async () => {
  const deep = join(directory.path, "x".repeat(100));
  const socketDir = await openSocketDir(deep);
  expect(socketPath(socketDir.path, 65_535).length).toBeLessThan(100);
  await socketDir.dispose();
  await expect(readdir(join(socketDir.path, ".."))).rejects.toThrow("ENOENT");
});
