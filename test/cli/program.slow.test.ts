import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { svc } from "../support/svc.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("a command that is meant to create a database says where", async () => {
  const DATA_DIR = join(folder, "new");
  const result = await svc(["import", "-"], { DATA_DIR }, '{"users": []}');
  expect(result).toMatchObject({ code: 0, stderr: `svc: creating a database in ${DATA_DIR}\n` });
  expect(await readdir(DATA_DIR)).toEqual(["pg"]);
});
