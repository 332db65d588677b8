import { type FileHandle, open } from "node:fs/promises";

/** Opens a file that a user has named. */
export async function openInputFile(file: string): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `no such file: ${file}` : `cannot read ${file}: ${error.code}`);
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) return { handle, size: stats.size };
  await handle.close();
  throw new Error(`${file} is a directory: expected a file`);
}
