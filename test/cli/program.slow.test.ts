import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withoutSandbox } from "../support/embedded.js";
import { svc } from "../support/svc.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
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

it("npm start hands signals to the service, so that supervisors can stop it", async () => {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: join(folder, "start"), PORT: "0", ...withoutSandbox };
  const npm = spawn("npm", ["start", "--", "--no-demo"], { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] });
  for await (const chunk of npm.stdout) if (String(chunk).includes("Ctrl-C")) break;
  const { pid } = JSON.parse(await readFile(join(env.DATA_DIR, "lock"), "utf8")) as { pid: number };
  expect(process.kill(pid, 0)).toBe(true);
  npm.kill("SIGTERM");
  await once(npm, "exit");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
