import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.js";
import { svc } from "../support/svc.js";
import { everyCommand, parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

const paths = everyCommand(await createProgram()).map(pathOf);

describe("help", () => {
  it.each(paths.map((path) => [["svc", ...path].join(" "), path] as const))(
    "of %s shows its usage and an example",
    async (name, path) => {
      const { code, stdout, stderr } = await parse([...path, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: ${name} `));
      expect(stdout).toMatch(new RegExp(`\\n  \\$ .*${name}( |$)`, "m"));
    },
  );

  it("is printed by the executable, without colours if the output is not a terminal", async () => {
    const help = await svc(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/\$ \.\/bin\/svc serve/);
    expect(help.stdout).not.toContain("\x1b");
    expect(await svc([])).toMatchObject({ code: 2, stdout: "", stderr: help.stdout });
  });
});

describe("a usage error", () => {
  it("for an unknown command", async () => {
    expectRefusal(await svc(["nonsense"]), 2, /^svc: unknown command 'nonsense'\nTry: \.\/bin\/svc --help\n$/);
    expectRefusal(await parse(["keys", "nonsense"]), 2, /unknown command 'nonsense'\nTry: svc keys --help\n$/);
  });

  it("for an unknown option suggests a similar one", async () => {
    expectRefusal(
      await parse(["serve", "--prot", "1"]),
      2,
      /'--prot' \(Did you mean --port\?\)\nTry: svc serve --help/,
    );
  });

  it.each([
    [["serve", "--port", "web"], /a port from 0 to 65535/],
    [["serve", "--port", "65536"], /a port from 0 to 65535/],
    [["serve", "extra"], /too many arguments/],
    [["migrate", "extra"], /too many arguments/],
    [["migrate", "bad\x1b]0;title\x07\nname"], /too many arguments/],
  ])("for %j", async (args, text) => {
    const result = await parse(args);
    expectRefusal(result, 2, text);
    expect(result.stderr).not.toContain("\x1b");
  });
});

it("prints its version", async () => {
  expect(await parse(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it("a closed output pipe is not an error", async () => {
  const child = spawn(process.execPath, [executable, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
