import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { findListeningOwner, isAlive, type LockOwner, parseOwner } from "./lock-owner.js";
import { removeSocketDir, socketPath } from "./socket-dir.js";

/**
 * Ensures one owner per DATA_DIR, even among processes that start at the same moment or find the lock of a dead owner.
 *
 * An owner listens on a Unix socket before it publishes its lock and until after it has removed it. A socket that
 * refuses connections therefore proves that the owner is dead, and process ids are not needed. A socket that accepts them
 * tells who owns the directory, so that nobody takes it over after its lock was deleted or damaged.
 *
 * The file `lock` names an owner; a process that finds owner X dead may publish `lock.after-X`. Both files are created
 * exclusively (link) and ids are never reused, so every owner has at most one successor, and the current owner is the
 * last of the chain that starts at `lock`. A takeover never moves or removes the lock of another process, because a
 * live owner may have replaced it since it was read. The new owner renames its lock over `lock` and removes the rest of
 * the chain; a process that links to the removed rest afterwards finds itself off the chain and retries.
 */
export type DataDirLock = { owner: LockOwner } & ({ acquired: true; release(): Promise<void> } | { acquired: false });

/** The caller must already listen on the socket of `claim.port`. */
export async function acquireDataDirLock(
  dataDir: string,
  socketDir: string,
  claim: Omit<LockOwner, "id">,
): Promise<DataDirLock> {
  const id = randomUUID();
  const self = { id, ...claim };
  const draft = await writeDraft(dataDir, self);
  try {
    for (;;) {
      const chain = await readChain(dataDir);
      const last = chain.at(-1);
      const owner = await findLiveOwnerIn(chain, dataDir, socketDir, claim.port);
      if (owner !== undefined) return { acquired: false, owner };
      const path = last === undefined ? lockPath(dataDir) : successorPath(dataDir, last.id);
      if (!(await linkExclusively(draft, path))) continue;
      if ((await readChain(dataDir)).at(-1)?.id === id) {
        await shortenChain(dataDir, draft, chain);
        return { acquired: true, owner: self, release: () => rm(lockPath(dataDir), { force: true }) };
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** A lock file that was deleted or damaged does not hide its owner: the sockets are asked too. */
export async function findLiveOwner(dataDir: string, socketDir: string): Promise<LockOwner | undefined> {
  try {
    return await findLiveOwnerIn(await readChain(dataDir), dataDir, socketDir);
  } catch (error) {
    const owner = await findListeningOwner(dataDir, socketDir, undefined);
    if (owner !== undefined) return owner;
    throw error;
  }
}

async function findLiveOwnerIn(
  chain: LockOwner[],
  dataDir: string,
  socketDir: string,
  ownPort?: number,
): Promise<LockOwner | undefined> {
  const last = chain.at(-1);
  if (last !== undefined && (await isAlive(last, socketDir))) return last;
  return findListeningOwner(dataDir, socketDir, ownPort);
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
  const owner = parseOwner(content);
  if (owner === undefined) throw new Error(`${path} is damaged, and no process has the database open: delete it`);
  return owner;
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
