import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { svc } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { nodeProblem } = createRequire(import.meta.url)("../../bin/require-node.js") as {
  nodeProblem(version: string, required: string): string | undefined;
};
const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };

it.each([
  ["18.20.8", false],
  ["20.11.1", false],
  ["20.18.3", false],
  ["9.99.0", false],
  ["20.19.0", true],
  ["20.20.2", true],
  ["22.0.0", true],
  ["100.1.0", true],
])("Node %s is supported: %s", (version, isSupported) => {
  const problem = `Node ${version} is too old: install Node 20.19 or later`;
  expect(nodeProblem(version, engines.node)).toBe(isSupported ? undefined : problem);
});

const folder = temporaryFolder();

it.each(["svc", "build"])("%s says in one line that Node is too old, before anything else fails", async (program) => {
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(root, "build.mjs"), join(folder, "build.mjs"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", engines: { node: ">=999.5" } }));
  const file = join(folder, program === "svc" ? "bin/svc" : "build.mjs");
  expect(await svc(["serve"], {}, "", file)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${program}: Node ${process.versions.node} is too old: install Node 999.5 or later\n`,
  });
});
