import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { access, constants, mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { initdbArguments, unpackTemplate } from "./template.js";

/** Makes sure that DATA_DIR is a folder of ours, or can become one, and gives its real path. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  let path: string;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    path = await realpath(dataDir);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be created or written: ${reasonOf(error)}; set DATA_DIR to another folder`,
    );
  }
  const entries = await readdir(path, { withFileTypes: true });
  const strangers = entries.filter((entry) => entry.isFile() && !/^(\.|lock$|lock\.)/.test(entry.name));
  if (strangers.length > 0 && !entries.some((entry) => entry.name === databaseDirName)) {
    throw new Error(
      `DATA_DIR ${dataDir} holds other files (${strangers[0]?.name}) and no database of this service; set DATA_DIR to another folder`,
    );
  }
  return path;
}

/**
 * Gives the folder of the database itself, complete: a new one is built beside its place and renamed, so that a start
 * that is killed leaves nothing that the next one would take for a database. Only for who has the lock of DATA_DIR.
 */
export async function prepareDatabaseDir(dataDir: string): Promise<string> {
  const path = join(dataDir, databaseDirName);
  if (existsSync(path) && readdirSync(path).length > 0) {
    refuseUnknownDatabase(path);
    return path;
  }
  const draft = join(dataDir, `${databaseDirName}.new`);
  rmSync(draft, { recursive: true, force: true });
  if (!unpackTemplate(draft)) await initializeDatabase(draft);
  renameSync(draft, path);
  return path;
}

const databaseDirName = "pg";
const postgresMajor = "18";

function refuseUnknownDatabase(path: string): void {
  const versionPath = join(path, "PG_VERSION");
  if (!existsSync(versionPath)) {
    throw new Error(`${path} holds files but no database; move them away, or set DATA_DIR to another folder`);
  }
  const version = readFileSync(versionPath, "utf8").trim();
  if (version !== postgresMajor) {
    throw new Error(
      `${path} was made by PostgreSQL ${version} and this version needs ${postgresMajor}; set DATA_DIR to another folder`,
    );
  }
}

async function initializeDatabase(path: string): Promise<void> {
  mkdirSync(path, { mode: 0o700 });
  const { PGlite } = await import("@electric-sql/pglite");
  const database = await PGlite.create({ dataDir: path, initDbStartParams: initdbArguments });
  await database.close();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
