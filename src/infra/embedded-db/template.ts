import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { projectRoot } from "../project-root.js";

const templatePrefix = "embedded-template-";

/** An initialized database directory, made once per PGlite version at build time: copying it is much faster than initdb. */
const templateDir = distPath(templatePrefix + pgliteVersion());

/** Fills a directory that does not exist yet with a new database. */
export async function createDatabaseFiles(dir: string): Promise<void> {
  mkdirSync(dir, { mode: 0o700 });
  if (existsSync(templateDir)) cpSync(templateDir, dir, { recursive: true });
  else await initializeDatabase(dir);
  setModes(dir, 0o700, 0o600);
}

/** Part of the build. */
export async function makeTemplate(): Promise<void> {
  const dir = await makeVersionedDir(templatePrefix, pgliteVersion(), initializeDatabase);
  // Whoever runs the service may be another user than the one who installed it; a new database has nothing to hide.
  setModes(dir, 0o755, 0o644);
}

/** The path of a directory in dist/ that is made once per version, under another name until it is complete. */
export async function makeVersionedDir(
  prefix: string,
  version: string,
  fill: (dir: string) => Promise<void>,
): Promise<string> {
  const dir = distPath(prefix + version);
  if (existsSync(dir)) return dir;
  const draft = await mkdtemp(distPath(`draft-${prefix}`));
  try {
    await fill(draft);
    await rename(draft, dir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have renamed its draft first.
    if (!existsSync(dir)) throw error;
  }
  const others = readdirSync(dirname(dir)).filter((name) => name.startsWith(prefix) && name !== basename(dir));
  await Promise.all(others.map((name) => rm(distPath(name), { recursive: true, force: true })));
  return dir;
}

async function initializeDatabase(dir: string): Promise<void> {
  const { PGlite } = await import("@electric-sql/pglite");
  // Small segments: a new database then has 1 MB of write-ahead log instead of 16 MB.
  const database = await PGlite.create({ dataDir: dir, initDbStartParams: ["--wal-segsize=1"] });
  await database.exec("CHECKPOINT");
  await database.close();
}

/** initdb in PGlite makes its files writable for everyone. */
function setModes(dir: string, folderMode: number, fileMode: number): void {
  chmodSync(dir, folderMode);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folderMode : fileMode);
  }
}

function distPath(name: string): string {
  return fileURLToPath(new URL(`dist/${name}`, projectRoot));
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", pathToFileURL(entry)), "utf8"),
  );
  return manifest.version;
}
