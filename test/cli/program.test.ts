import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { nameOf, withProgramName } from "../../src/cli/program-name.js";
import { svc } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = temporaryFolder();

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
      expectRefusal(
        await runCommand(args, { DATA_DIR }),
        1,
        `there is no database in ${DATA_DIR}: change to the directory`,
      );
    }
    expect(existsSync(DATA_DIR)).toBe(false);
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
