import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { itWithPython } from "../../test/support/needs.js";
import { type ZipEntry, zipParts } from "./zip.js";

async function archiveOf(entries: ZipEntry[]): Promise<Buffer> {
  async function* given() {
    yield* entries;
  }
  const parts: Buffer[] = [];
  for await (const part of zipParts(given(), new Date("2031-05-01T18:30:10Z"))) parts.push(part);
  return Buffer.concat(parts);
}

/** What another program reads in an archive. */
function read(archive: Buffer): unknown {
  const folder = mkdtempSync(join(tmpdir(), "zip-"));
  const file = join(folder, "a.zip");
  writeFileSync(file, archive);
  const program = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    print(json.dumps({"bad": z.testzip(), "files": [[i.filename, list(i.date_time), z.read(i).hex()] for i in z.infolist()]}))`;
  const text = execFileSync("python3", ["-c", program, file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return JSON.parse(text);
}

// Only where there is another program that reads archives; test/console/poster-sharing.test.ts reads the parts.
itWithPython("is an archive that other programs read, with names in any script", async () => {
  const entries = [
    { name: "01 Café São Bento – portrait.png", bytes: Buffer.from([1, 2, 3]) },
    { name: "drafts/02 東京.png", bytes: Buffer.alloc(0) },
  ];
  const date = [2031, 5, 1, 18, 30, 10];
  expect(read(await archiveOf(entries))).toEqual({
    bad: null,
    files: entries.map(({ name, bytes }) => [name, date, bytes.toString("hex")]),
  });
});

itWithPython("is an empty archive without files", async () => {
  expect(read(await archiveOf([]))).toEqual({ bad: null, files: [] });
});
