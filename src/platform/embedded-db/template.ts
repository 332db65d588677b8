import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { projectRoot } from "../project-root.js";

const templatePrefix = "embedded-template-";

/** An initialized database directory, made once per PGlite version at build time: copying it is much faster than initdb. */
const templateDir = fileURLToPath(new URL(`dist/${templatePrefix}${pgliteVersion()}`, projectRoot));

/** Fills a directory that does not exist yet with a new database. */
export async function createDatabaseFiles(dir: string): Promise<void> {
  mkdirSync(dir, { mode: 0o700 });
  if (existsSync(templateDir)) cpSync(templateDir, dir, { recursive: true });
  else await initializeDatabase(dir);
  setModes(dir, 0o700, 0o600);
}

/** Part of the build. */
export async function makeTemplate(): Promise<void> {
  // Whoever runs the service may be another user than the one who installed it; a new database has nothing to hide.
  if (existsSync(templateDir)) return setModes(templateDir, 0o755, 0o644);
  const draft = await mkdtemp(join(dirname(templateDir), "draft-template-"));
  try {
    await initializeDatabase(draft);
    setModes(draft, 0o755, 0o644);
    await rename(draft, templateDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // A concurrent build may have renamed its draft first.
    if (!existsSync(templateDir)) throw error;
  }
  await removeOtherTemplates();
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

async function removeOtherTemplates(): Promise<void> {
  const parent = dirname(templateDir);
  const names = (await readdir(parent)).filter((name) => name.startsWith(templatePrefix));
  const others = names.filter((name) => name !== basename(templateDir));
  await Promise.all(others.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", pathToFileURL(entry)), "utf8"),
  );
  return manifest.version;
}
