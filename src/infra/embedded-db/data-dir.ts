import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { access, chmod, constants, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../../../contract/errors.js";
import { createDatabaseFiles } from "./template.js";

/**
 * Creates DATA_DIR if needed, checks that it belongs to this service and is writable, makes it private, and returns its real
 * path.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  let path: string;
  try {
    await createDir(resolve(dataDir));
    path = await realpath(dataDir);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be created or written: ${messageOf(error)}; set DATA_DIR to another directory`,
    );
  }
  const entries = await readdir(path, { withFileTypes: true });
  const otherFiles = entries.filter((entry) => entry.isFile() && !/^(\.|lock$|lock\.)/.test(entry.name));
  if (otherFiles.length > 0 && !entries.some((entry) => entry.name === databaseDirName)) {
    throw new Error(
      `DATA_DIR ${dataDir} contains other files (${otherFiles[0]?.name}) and no database of this service; set DATA_DIR to another directory`,
    );
  }
  const isOurs = entries.length === 0 || entries.some((entry) => entry.name === databaseDirName);
  // A directory of another user keeps its mode; the database in it is private in any case.
  if (isOurs) await chmod(path, 0o700).catch(() => {});
  return path;
}

/** Like mkdir with `recursive`, which never ends in file systems where nothing can be created, such as /proc. */
async function createDir(path: string): Promise<void> {
  if (existsSync(path)) return;
  await createDir(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it since.
    if (!existsSync(path)) throw error;
  }
}

/**
 * Returns the path of a complete database directory. The caller must own the lock of DATA_DIR. A new database is built
 * under another name and renamed, so that a start killed half-way leaves nothing that the next one takes for a database.
 */
export async function prepareDatabaseDir(dataDir: string): Promise<string> {
  const path = join(dataDir, databaseDirName);
  if (existsSync(path) && readdirSync(path).length > 0) {
    requireSupportedDatabase(path);
    return path;
  }
  const draft = join(dataDir, `${databaseDirName}.new`);
  rmSync(draft, { recursive: true, force: true });
  await createDatabaseFiles(draft);
  renameSync(draft, path);
  return path;
}

export const databaseDirName = "pg";
const postgresMajor = "18";

function requireSupportedDatabase(path: string): void {
  const versionPath = join(path, "PG_VERSION");
  if (!existsSync(versionPath)) {
    throw new Error(`${path} contains files but no database; move them away, or set DATA_DIR to another directory`);
  }
  const version = readFileSync(versionPath, "utf8").trim();
  if (version !== postgresMajor) {
    throw new Error(
      `${path} was created by PostgreSQL ${version} and this version needs ${postgresMajor}; set DATA_DIR to another directory`,
    );
  }
}
