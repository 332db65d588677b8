import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { removeSocketDir, socketPath } from "./socket-dir.js";

/**
 * One owner per DATA_DIR, also among processes that start at the same moment or find the lock of a dead one.
 *
 * An owner listens on a Unix socket before it publishes its lock and until after it has removed it, so "its socket
 * refuses" means "it is dead", for good, and process ids do not matter.
 *
 * The file `lock` names a holder; whoever finds holder X dead may publish `lock.after-X`. Creating either file is
 * exclusive (link) and ids are never reused, so every holder has at most one successor: the owner is the last of the
 * chain that starts at `lock`. No lock of another process is ever moved or removed to take over, because between the
 * look at a stale lock and its removal it may have been replaced by a living one. The new owner then renames its lock
 * over `lock` and clears the rest; whoever links to that rest afterwards is not on the chain, sees it and steps back.
 */
export type LockHolder = z.infer<typeof lockHolder>;

const lockHolder = z.object({
  id: z.uuid(),
  pid: z.int(),
  command: z.string(),
  socket_dir: z.string(),
  port: z.int(),
  started_at: z.string(),
});

export type DataDirLock = { acquired: true; release(): Promise<void> } | { acquired: false; holder: LockHolder };

/** `claim.port` names a socket of the caller that listens already. */
export async function acquireDataDirLock(
  dataDir: string,
  socketDir: string,
  claim: Omit<LockHolder, "id">,
): Promise<DataDirLock> {
  const id = randomUUID();
  const draft = await writeDraft(dataDir, { id, ...claim });
  try {
    for (;;) {
      const chain = await readChain(dataDir);
      const last = chain.at(-1);
      if (last !== undefined && (await isAlive(last, socketDir))) return { acquired: false, holder: last };
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

export async function findLiveHolder(dataDir: string, socketDir: string): Promise<LockHolder | undefined> {
  const last = (await readChain(dataDir)).at(-1);
  return last !== undefined && (await isAlive(last, socketDir)) ? last : undefined;
}

const lockPath = (dataDir: string) => join(dataDir, "lock");
const successorPath = (dataDir: string, id: string) => join(dataDir, `lock.after-${id}`);

async function writeDraft(dataDir: string, holder: LockHolder): Promise<string> {
  const path = join(dataDir, `lock.draft-${holder.id}`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(holder)}\n`);
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

async function readChain(dataDir: string): Promise<LockHolder[]> {
  const chain: LockHolder[] = [];
  let holder = await readHolder(lockPath(dataDir));
  while (holder !== undefined) {
    chain.push(holder);
    holder = await readHolder(successorPath(dataDir, holder.id));
  }
  return chain;
}

async function readHolder(path: string): Promise<LockHolder | undefined> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return lockHolder.parse(JSON.parse(content));
  } catch {
    throw new Error(`${path} is not a lock of this service: delete it if no process uses the folder`);
  }
}

/** Only these two errors prove that nobody listens; a full queue or a missing permission does not. */
async function isAlive(holder: LockHolder, socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(socketDir, holder.port));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => resolve(!["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? "")));
  });
}

async function shortenChain(dataDir: string, draft: string, dead: LockHolder[]): Promise<void> {
  if (dead.length > 0) await rename(draft, lockPath(dataDir));
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith("lock.after-"));
  await Promise.all(leftovers.map((name) => rm(join(dataDir, name), { force: true })));
  for (const holder of dead) {
    await rm(socketPath(dataDir, holder.port), { force: true });
    await removeSocketDir(holder.socket_dir);
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
