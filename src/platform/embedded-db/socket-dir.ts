import { mkdtemp, rmdir, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

export type SocketDir = { path: string; dispose(): Promise<void> };

/**
 * A name of the folder that is short enough for the path of a Unix socket: its own, or else that of a link in a new
 * private folder. The sockets are in DATA_DIR in both cases, so that nobody who cleans up elsewhere can make a living
 * owner look dead.
 */
export async function openSocketDir(dataDir: string): Promise<SocketDir> {
  if (Buffer.byteLength(socketPath(dataDir, 65535)) < maxSocketPathBytes) {
    return { path: dataDir, dispose: async () => {} };
  }
  const parent = Buffer.byteLength(tmpdir()) < maxSocketPathBytes - 40 ? tmpdir() : "/tmp";
  const folder = await mkdtemp(join(parent, socketDirPrefix));
  const path = join(folder, "data");
  await symlink(dataDir, path);
  return { path, dispose: () => removeSocketDir(path) };
}

/** Can only remove what `openSocketDir` makes: a link, and the folder that is empty without it. */
export async function removeSocketDir(path: string): Promise<void> {
  const folder = dirname(path);
  if (!basename(folder).startsWith(socketDirPrefix)) return;
  try {
    await unlink(path);
    await rmdir(folder);
  } catch {
    // A left-over link in a folder for temporary files does no harm.
  }
}

/** PostgreSQL clients derive this name from a host that is a folder, and a port. */
export function socketPath(socketDir: string, port: number): string {
  return join(socketDir, `.s.PGSQL.${port}`);
}

const maxSocketPathBytes = 100;
const socketDirPrefix = "svc-socket-";
