import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openInputFile, writeOutputFile } from "./output-file.js";

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-test-"));
  file = join(directory, "guests.json");
});
afterEach(() => rm(directory, { recursive: true }));

const write = (to: string, text = "new") => writeOutputFile(to, async (stream) => void stream.write(text));

it("can only be read by its owner, also when it replaces a readable one", async () => {
  await write(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o644);
  await write(file, "newer");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toBe("newer");
  expect(await readdir(directory)).toEqual(["guests.json"]);
});

it("replaces the target of a symbolic link, not the link", async () => {
  const link = join(directory, "latest.json");
  await writeFile(file, "previous");
  await symlink(file, link);
  await write(link);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(file, "utf8")).toBe("new");
});

it("stays as it was if writing fails", async () => {
  await writeFile(file, "previous");
  const failing = writeOutputFile(file, async (stream) => {
    stream.write("half");
    throw new Error("no more");
  });
  await expect(failing).rejects.toThrow("no more");
  expect(await readFile(file, "utf8")).toBe("previous");
  expect(await readdir(directory)).toEqual(["guests.json"]);
});

it("says what is wrong with a path", async () => {
  await expect(write(directory)).rejects.toThrow(`${directory} is a directory: expected a file`);
  await expect(write(join(directory, "missing/document.json"))).rejects.toThrow(/^cannot write .*: ENOENT$/);
  await expect(openInputFile(directory)).rejects.toThrow(`${directory} is a directory: expected a file`);
  await expect(openInputFile(file)).rejects.toThrow(`no such file: ${file}`);
});

it("writes to a device without replacing it", async () => {
  await write("/dev/null");
  expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
});
