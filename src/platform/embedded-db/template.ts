import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { projectRoot } from "../project-root.js";

/**
 * A fresh database folder as one tar file, made once at build time: unpacking it takes a tenth of a second where
 * initdb takes seconds and most of a gigabyte. Not compressed, because that starts faster.
 */
export const templatePath = fileURLToPath(new URL(`dist/embedded-template-${pgliteVersion()}.tar`, projectRoot));

/** Small segments, because a fresh folder then holds 1 MB of write-ahead log and not 16. */
export const initdbArguments = ["--wal-segsize=1"];

/** Writes the template unless it is there for the installed version of PGlite. */
export async function makeTemplate(): Promise<"made" | "present"> {
  if (existsSync(templatePath)) return "present";
  const { PGlite } = await import("@electric-sql/pglite");
  const database = await PGlite.create({ initDbStartParams: initdbArguments });
  await database.exec("CHECKPOINT");
  const tar = await database.dumpDataDir("none");
  await database.close();
  const draft = `${templatePath}.${process.pid}`;
  await writeFile(draft, Buffer.from(await tar.arrayBuffer()));
  await rename(draft, templatePath);
  await removeOtherTemplates();
  return "made";
}

/** Unpacks the template to a folder that does not exist yet; false when there is no template. */
export function unpackTemplate(folder: string): boolean {
  if (!existsSync(templatePath)) return false;
  mkdirSync(folder, { mode: 0o700 });
  for (const entry of tarEntries(readFileSync(templatePath))) {
    const path = join(folder, entry.name);
    if (entry.isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, entry.content, { mode: 0o600 });
  }
  return true;
}

type TarEntry = { name: string; isFolder: boolean; content: Buffer };

const blockBytes = 512;

function* tarEntries(tar: Buffer): Generator<TarEntry> {
  let start = 0;
  while (start + blockBytes <= tar.length && tar.readUInt8(start) !== 0) {
    const size = Number.parseInt(field(tar, start + 124, 12), 8);
    const contentStart = start + blockBytes;
    yield {
      name: field(tar, start, 100),
      isFolder: field(tar, start + 156, 1) === "5",
      content: tar.subarray(contentStart, contentStart + size),
    };
    start = contentStart + Math.ceil(size / blockBytes) * blockBytes;
  }
}

function field(tar: Buffer, start: number, length: number): string {
  return tar.toString("latin1", start, start + length).split("\0", 1)[0] ?? "";
}

async function removeOtherTemplates(): Promise<void> {
  const folder = dirname(templatePath);
  const others = (await readdir(folder)).filter(
    (name) => /^embedded-template-.*\.tar$/.test(name) && name !== basename(templatePath),
  );
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", pathToFileURL(entry)), "utf8"),
  );
  return manifest.version;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTemplate();
