import { mkdtemp, rmdir, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

export type SocketDir = { path: string; dispose(): Promise<void> };

/**
 * Returns a path of DATA_DIR that is short enough for a Unix socket: its own, or else a symlink in a new private
 * directory. The sockets are in DATA_DIR in both cases, so that cleaning the temporary directory cannot make a live
 * owner look dead.
 */
export async function openSocketDir(dataDir: string): Promise<SocketDir> {
  if (Buffer.byteLength(socketPath(dataDir, 65535)) < maxSocketPathBytes) {
    return { path: dataDir, dispose: async () => {} };
  }
  const parent = Buffer.byteLength(tmpdir()) < maxSocketPathBytes - 40 ? tmpdir() : "/tmp";
  const path = join(await mkdtemp(join(parent, socketDirPrefix)), "data");
  await symlink(dataDir, path);
  return { path, dispose: () => removeSocketDir(path) };
}

/** Removes only what `openSocketDir` creates: a symlink and its otherwise empty directory. */
export async function removeSocketDir(path: string): Promise<void> {
  const parent = dirname(path);
  if (!basename(parent).startsWith(socketDirPrefix)) return;
  try {
    await unlink(path);
    await rmdir(parent);
  } catch {
    // A leftover symlink in the temporary directory is harmless.
  }
}

/** The socket that PostgreSQL clients connect to when their host is a directory. */
export function socketPath(socketDir: string, port: number): string {
  return join(socketDir, `.s.PGSQL.${port}`);
}

const maxSocketPathBytes = 100;
const socketDirPrefix = "svc-socket-";
