import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameOf, withProgramName } from "../../src/cli/program-name.js";
import { withoutSandbox } from "../support/embedded.js";
import { svc } from "../support/svc.js";
import { expectRefusal } from "./refusal.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("with --json, a failure is one document too", () => {
  it.each([
    ["of a command", ["keys", "list"], 1, /^there is no database in /],
    ["of the configuration", ["serve"], 1, /^PORT=web: expected .*\nREDIS_URL: expected /],
    ["of the arguments", ["keys", "revoke"], 2, /^missing required argument 'key'$/],
  ] as const)("%s", async (_, args, code, message) => {
    const env = { DATA_DIR: join(folder, "none"), PORT: "web", REDIS_URL: "http://cache" };
    const result = await svc([...args, "--json"], args[0] === "serve" ? env : { DATA_DIR: env.DATA_DIR });
    expect([result.code, JSON.parse(result.stdout)]).toEqual([code, { error: expect.stringMatching(message) }]);
    expect(result.stderr).toMatch(/^svc: /);
  });
});

describe("a command without a database", () => {
  it("fails instead of creating one", async () => {
    const DATA_DIR = join(folder, "elsewhere");
    for (const args of [["keys", "list"], ["audit"], ["export"], ["users", "list"]]) {
      expectRefusal(await svc(args, { DATA_DIR }), 1, `there is no database in ${DATA_DIR}: change to the directory`);
    }
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it("that is meant to create one says where", async () => {
    const DATA_DIR = join(folder, "new");
    const result = await svc(["import", "-"], { DATA_DIR }, '{"users": []}');
    expect(result).toMatchObject({ code: 0, stderr: `svc: creating a database in ${DATA_DIR}\n` });
    expect(await readdir(DATA_DIR)).toEqual(["pg"]);
  });
});

describe("printed commands", () => {
  const program = join(root, "bin/svc");
  it.each([
    ["in a checkout", program, root, "./bin/svc"],
    ["below a checkout", program, join(root, "docs"), program],
    ["as an installed program", "/usr/local/bin/svc", root, "svc"],
    ["in a test", undefined, root, "svc"],
  ])("begin as the user typed it, %s", (_, started, directory, name) => {
    expect(nameOf(started, directory)).toBe(name);
  });

  it("can be pasted", () => {
    expect(withProgramName("svc is\n  $ A=b svc serve | svc import -\n")).toBe(
      "svc is\n  $ A=b svc serve | svc import -\n",
    );
  });

  it("of help name the program by its path", async () => {
    const { stdout } = await svc(["keys", "--help"], {});
    expect(stdout).toContain("  $ ./bin/svc keys list\n");
  });
});

it("npm start hands signals to the service, so that supervisors can stop it", async () => {
  const env = { ...process.env, DATA_DIR: join(folder, "start"), PORT: "0", ...withoutSandbox };
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
