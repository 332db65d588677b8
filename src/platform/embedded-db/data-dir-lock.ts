import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { removeSocketDir, socketPath } from "./socket-dir.js";

/**
 * Ensures one owner per DATA_DIR, even among processes that start at the same moment or find the lock of a dead owner.
 *
 * An owner listens on a Unix socket before it publishes its lock and until after it has removed it. A socket that
 * refuses connections therefore proves that the owner is dead, and process ids are not needed.
 *
 * The file `lock` names an owner; a process that finds owner X dead may publish `lock.after-X`. Both files are created
 * exclusively (link) and ids are never reused, so every owner has at most one successor, and the current owner is the
 * last of the chain that starts at `lock`. A takeover never moves or removes the lock of another process, because a
 * live owner may have replaced it since it was read. The new owner renames its lock over `lock` and removes the rest of
 * the chain; a process that links to the removed rest afterwards finds itself off the chain and retries.
 */
export type LockOwner = z.infer<typeof lockOwner>;

const lockOwner = z.object({
  id: z.uuid(),
  pid: z.int(),
  command: z.string(),
  socket_dir: z.string(),
  port: z.int(),
  started_at: z.string(),
});

export type DataDirLock = { acquired: true; release(): Promise<void> } | { acquired: false; owner: LockOwner };

/** The caller must already listen on the socket of `claim.port`. */
export async function acquireDataDirLock(
  dataDir: string,
  socketDir: string,
  claim: Omit<LockOwner, "id">,
): Promise<DataDirLock> {
  const id = randomUUID();
  const draft = await writeDraft(dataDir, { id, ...claim });
  try {
    for (;;) {
      const chain = await readChain(dataDir);
      const last = chain.at(-1);
      if (last !== undefined && (await isAlive(last, socketDir))) return { acquired: false, owner: last };
      const path = last === undefined ? lockPath(dataDir) : successorPath(dataDir, last.id);
      if (!(await linkExclusively(draft, path))) continue;
      if ((await readChain(dataDir)).at(-1)?.id === id) {
        await shortenChain(dataDir, draft, chain);
        return { acquired: true, release: () => rm(lockPath(dataDir), { force: true }) };
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

export async function findLiveOwner(dataDir: string, socketDir: string): Promise<LockOwner | undefined> {
  const last = (await readChain(dataDir)).at(-1);
  return last !== undefined && (await isAlive(last, socketDir)) ? last : undefined;
}

const lockPath = (dataDir: string) => join(dataDir, "lock");
const successorPath = (dataDir: string, id: string) => join(dataDir, `lock.after-${id}`);

async function writeDraft(dataDir: string, owner: LockOwner): Promise<string> {
  const path = join(dataDir, `lock.draft-${owner.id}`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(owner)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}

async function linkExclusively(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function readChain(dataDir: string): Promise<LockOwner[]> {
  const chain: LockOwner[] = [];
  let owner = await readOwner(lockPath(dataDir));
  while (owner !== undefined) {
    chain.push(owner);
    owner = await readOwner(successorPath(dataDir, owner.id));
  }
  return chain;
}

async function readOwner(path: string): Promise<LockOwner | undefined> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return lockOwner.parse(JSON.parse(content));
  } catch {
    throw new Error(`${path} is not a lock of this service: delete it if no process uses the directory`);
  }
}

/** Only these two errors prove that no process listens; a full backlog or a missing permission does not. */
async function isAlive(owner: LockOwner, socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(socketDir, owner.port));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => resolve(!["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? "")));
  });
}

async function shortenChain(dataDir: string, draft: string, dead: LockOwner[]): Promise<void> {
  if (dead.length > 0) await rename(draft, lockPath(dataDir));
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith("lock.after-"));
  await Promise.all(leftovers.map((name) => rm(join(dataDir, name), { force: true })));
  for (const owner of dead) {
    await rm(socketPath(dataDir, owner.port), { force: true });
    await removeSocketDir(owner.socket_dir);
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
